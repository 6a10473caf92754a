import { built } from './row.ts'

/** What differs between Linux, macOS and Windows. */
export const platforms = built('0208-other-systems', {
  'platforms.programs': 'What npm and pnpm make a command of on Windows is started without a shell.',
  'platforms.processes': 'What a process started ends with it, on Windows by its parentage.',
  'platforms.renames': 'On Windows a rename waits a moment for whoever has the file open.',
  'platforms.names':
    'A name that Windows or a disk without capitals cannot keep is refused before a file is written.',
  'platforms.tools': 'The lockfile has the tools of each system, and a workflow runs the tests there.',
})
