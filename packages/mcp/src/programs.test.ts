import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { findOnPath, signalGroup, wordsOf } from './programs.ts'

const onDisk = (...files: string[]) => ({ isRunnable: (file: string) => files.includes(file) })
const windows = onDisk(
  'C:\\Node\\npm',
  'C:\\Node\\npm.cmd',
  'C:\\Node\\node.exe',
  'D:\\work\\run.exe',
  'D:\\work\\a.cmd',
)
const linux = onDisk('/usr/bin/npm', '/here/run')

verifies.each('platforms.programs')([
  ['win32', 'npm', 'C:\\Node\\npm.cmd'],
  ['win32', 'node', 'C:\\Node\\node.exe'],
  ['win32', 'node.exe', 'C:\\Node\\node.exe'],
  ['win32', './run', 'D:\\work\\run.exe'],
  ['win32', '.\\a.cmd', 'D:\\work\\a.cmd'],
  ['win32', 'a', undefined],
  ['linux', 'npm', '/usr/bin/npm'],
  ['linux', './run', '/here/run'],
  ['linux', 'run', undefined],
] as const)('on %s the program %s is %s', (platform, name, file) => {
  const [cwd, path] = platform === 'win32' ? ['D:\\work', 'C:\\none;;C:\\Node'] : ['/here', '/none::/usr/bin']
  expect(findOnPath(name, cwd, path, { platform, ...(platform === 'win32' ? windows : linux) })).toBe(file)
})

const script = (name: string) => [process.execPath, `C:\\Node\\node_modules\\${name}`]

verifies.each('platforms.programs')([
  ['npx.cmd', '"%_prog%"  "%dp0%\\node_modules\\a\\cli.mjs" %*', script('a\\cli.mjs')],
  ['pnpm.cmd', '@node  "%~dp0\\node_modules\\pnpm\\bin\\pnpm.cjs" %*\r\n', script('pnpm\\bin\\pnpm.cjs')],
  [
    'npm.CMD',
    'SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"\r\nSET "NPM_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npm-cli.js"\r\n',
    script('npm\\bin\\npm-cli.js'),
  ],
  ['odd.cmd', 'echo %*', ['C:\\Node\\odd.cmd']],
  ['node.exe', '', ['C:\\Node\\node.exe']],
])('%s with %j starts %j', (name, text, words) => {
  expect(wordsOf(`C:\\Node\\${name}`, { platform: 'win32', read: () => text })).toEqual(words)
  expect(wordsOf(`/bin/${name}`, { platform: 'linux' })).toEqual([`/bin/${name}`])
})

verifies.each('platforms.processes')([
  ['linux', ['kill -7 SIGTERM']],
  ['darwin', ['kill -7 SIGTERM']],
  ['win32', ['taskkill /T /F /PID 7']],
] as const)('ends a tree on %s by %j', (platform, ends) => {
  const done: string[] = []
  signalGroup(7, 'SIGTERM', {
    platform,
    kill: (pid, name) => done.push(`kill ${pid} ${name}`),
    run: (program, args) => done.push([program, ...args].join(' ')),
  })
  expect(done).toEqual(ends)
})
