/**
 * The CSS variables with which a page gives its look to apps: the name of each, and what it is for. The names are those
 * of MCP Apps as far as it has one, so that an app looks right in both. A page gives those that it decides on.
 *
 * @source docs/decisions/0134-the-theme-of-a-page.md
 */
export const themeVariables = {
  '--color-background-primary': 'behind everything',
  '--color-background-secondary': 'behind a card, a control or a list',
  '--color-background-tertiary': 'behind what the pointer is over, and behind code',
  '--color-background-info': 'behind what is selected or new',
  '--color-background-danger': 'behind what went wrong',
  '--color-background-warning': 'behind what needs care',
  '--color-background-success': 'behind what went well',
  '--color-text-primary': 'text',
  '--color-text-secondary': 'text that matters less',
  '--color-text-danger': 'text about what went wrong',
  '--color-text-warning': 'text about what needs care',
  '--color-text-success': 'text about what went well',
  '--color-accent': 'links and the button that matters most',
  '--color-on-accent': 'text on the accent',
  '--color-border-primary': 'the edge of a field',
  '--color-border-secondary': 'lines and the edge of a card',
  '--color-border-danger': 'the edge of what went wrong',
  '--color-ring-primary': 'around what has the focus',
  '--font-sans': 'the font of text',
  '--font-mono': 'the font of code',
  '--border-radius-md': 'the corners of controls',
  '--border-radius-lg': 'the corners of cards',
} as const satisfies Readonly<Record<`--${string}`, string>>

/** The look of the page beside its theme. */
export interface ThemeStyles {
  /**
   * CSS variables by name, of `themeVariables` or of the page's own. A value may use `light-dark()`, which the theme
   * decides.
   */
  readonly variables: Readonly<Record<`--${string}`, string>>
}
