import { expect } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { programOf } from './program.mjs'

/** What npm and pnpm write. */
const ofNpm = '"%_prog%"  "%dp0%\\..\\vitest\\vitest.mjs" %*\r\n'
const ofPnpm = '@SETLOCAL\r\n@node  "%~dp0\\..\\pnpm\\bin\\pnpm.mjs" %*\r\n'

const disk: Readonly<Record<string, string>> = {
  'C:\\Node\\npm.cmd': 'SET "NPM_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npm-cli.js"',
  'C:\\Node\\node_modules\\npm\\bin\\npm-cli.js': '',
  'C:\\Node\\node.exe': '',
  'C:\\repo\\node_modules\\.bin\\vitest.cmd': ofNpm,
  'C:\\repo\\node_modules\\.bin\\pnpm.cmd': ofPnpm,
  'C:\\repo\\node_modules\\.bin\\odd.cmd': 'echo',
}
const env = { Path: 'C:\\repo\\node_modules\\.bin;C:\\Node' }
const options = { env, isThere: (file: string) => file in disk, read: (file: string) => disk[file] ?? '' }

verifies.each('platforms.programs')([
  ['win32', 'npm', [process.execPath, 'C:\\Node\\node_modules\\npm\\bin\\npm-cli.js']],
  ['win32', 'vitest', [process.execPath, 'C:\\repo\\node_modules\\vitest\\vitest.mjs']],
  [
    'win32',
    'C:/repo/node_modules/.bin/pnpm',
    [process.execPath, 'C:\\repo\\node_modules\\pnpm\\bin\\pnpm.mjs'],
  ],
  ['win32', 'node', ['C:\\Node\\node.exe']],
  ['win32', 'odd', ['odd']],
  ['win32', 'taskkill', ['taskkill']],
  ['linux', 'npm', ['npm']],
  ['darwin', 'vitest', ['vitest']],
] as const)('on %s %s is started as %j', (platform, command, words) => {
  expect(programOf(command, { ...options, platform })).toEqual(words)
})
