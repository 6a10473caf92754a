import { built } from './row.ts'

/** The types of tools in the program of an app. */
export const types = [
  ...built('0128-types-of-tools', {
    'types.untyped': 'An app that declares no tools is typed as one of any tools.',
    'types.calls': 'A call of a declared tool has its arguments and its result.',
    'types.wrong': 'The compiler tells a wrong name or argument of a declared tool.',
  }),
  ...built('0129-files-of-types', {
    'types.file':
      'svc writes types only inside the folder of an app, and only over a file that it has written.',
    'types.same': 'The same descriptions give the same file, to the last character.',
    'types.check': 'svc types --check writes nothing, and ends with 1 where the file would be another.',
    'types.hostile': 'What a plugin says of itself is a type or a comment in the file, and nothing else.',
    'types.bounds': 'A description that is too large for types is refused by the names of plugin and tool.',
    'types.dev': 'svc dev renews the types of an app at its start and when a plugin changes.',
  }),
] as const
