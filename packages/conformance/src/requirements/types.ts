import { built } from './row.ts'

/** The types of tools in the program of an app. */
export const types = [
  ...built('0128-types-of-tools', {
    'types.untyped': 'An app that declares no tools is typed as one of any tools.',
    'types.calls': 'A call of a declared tool has its arguments and its result.',
    'types.wrong': 'The compiler tells a wrong name or argument of a declared tool.',
  }),
] as const
