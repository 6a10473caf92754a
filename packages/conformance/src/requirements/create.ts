import { built } from './row.ts'

/** What `npm create svc` makes, and what it refuses. */
export const create = built('0131-templates-in-the-package', {
  'create.filled':
    'A project that is created has its name, and needs the packages of the version that created it.',
  'create.refused': 'What cannot be created is refused in one sentence with a hint, and nothing is written.',
  'create.install':
    'Packages are installed only where that was asked for; a failed install leaves the project.',
  'create.examples':
    'Examples have what their template has, to the last character, but for the files named as theirs.',
})
