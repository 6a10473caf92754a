import { built } from './row.ts'

/** The look that a page gives its apps. */
export const theme = [
  ...built('0134-the-theme-of-a-page', {
    'theme.variables':
      'An app gets the CSS variables that its page gives, and loses those that it gives no longer.',
    'theme.names': 'A name that is no CSS variable changes nothing in a document.',
    'theme.defaults': 'The style sheet of the client has a default for every variable, and uses no others.',
    'theme.layer': 'Every rule of an app is stronger than the style sheet of the client.',
    'theme.shell': 'The shell gives variables of the table, each with the value of one of its own.',
  }),
] as const
