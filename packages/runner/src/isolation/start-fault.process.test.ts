import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, describe, expect, it } from 'vitest'
import { createRunner } from '../runner.ts'
import { needsIsolator } from '../testing/some-isolators.ts'
import { startFault } from './start-fault.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-start-'))
const put = (name: string, content: string | Buffer, mode = 0o755) => {
  writeFileSync(join(root, name), content)
  chmodSync(join(root, name), mode)
}
afterAll(() => rmSync(root, { recursive: true }))

/** The head of a program of Linux with one segment, which names its loader. */
function elf(machine: number, loader: string | undefined): Buffer {
  const bytes = Buffer.alloc(256)
  bytes.write('7f454c460201', 'hex')
  bytes.writeUInt16LE(machine, 18)
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(loader === undefined ? 0 : 1, 56)
  bytes.writeUInt32LE(3, 64)
  bytes.writeBigUInt64LE(128n, 72)
  bytes.writeBigUInt64LE(BigInt((loader ?? '').length + 1), 96)
  bytes.write(`${loader ?? ''}\0`, 128)
  return bytes
}
const OTHER = process.arch === 'arm64' ? ([62, 'x64'] as const) : ([183, 'arm64'] as const)
const SAME = { x64: 62, arm64: 183 }[process.arch as 'x64' | 'arm64']

put('plain.py', '#!/usr/bin/env python3\n', 0o644)
put('crlf.sh', '#!/bin/sh\r\necho hi\r\n')
put('crlf-env.py', '#!/usr/bin/env python3\r\n')
put('bom.sh', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('#!/bin/sh\n')]))
put('gone.sh', '#!/opt/no/such/ruby -w\n')
put('gone-env.sh', '#!/usr/bin/env -S svc-no-such --allow-net\n')
put('bare.py', 'print(1)\n')
put('server.exe', 'MZ....')
put('server-mac', Buffer.from('cffaedfe0000', 'hex'))
put('foreign', elf(OTHER[0], '/lib/ld-none.so.1'))
put('musl', elf(SAME, '/lib/ld-musl-none.so.1'))
put('static', elf(SAME, undefined))
put('fine.sh', '#!/bin/sh\n')
put('Hi.class', Buffer.from('cafebabe', 'hex'))
mkdirSync(join(root, 'folder'))
mkdirSync(join(root, 'bin'))
put('bin/tool', '#!/bin/sh\n', 0o644)
symlinkSync('/no/such/target', join(root, 'dangling'))

const cases: [string, string | undefined][] = [
  ['./plain.py', './plain.py has no x bit: chmod +x ./plain.py'],
  ['plain.py', 'plain.py is in its folder and not on PATH: write ./plain.py'],
  ['tool', `${root}/bin/tool has no x bit: chmod +x ${root}/bin/tool`],
  [
    './crlf.sh',
    'the lines of ./crlf.sh end in CRLF, so that its first one names "/bin/sh\\r": save it with LF',
  ],
  [
    './crlf-env.py',
    'the lines of ./crlf-env.py end in CRLF, so that its first one names "python3\\r": save it with LF',
  ],
  ['./bom.sh', './bom.sh begins with a byte order mark before #!: save it as UTF-8 without one'],
  ['./gone.sh', './gone.sh is started by /opt/no/such/ruby, which is not on this machine'],
  ['./gone-env.sh', './gone-env.sh is started by svc-no-such, which is not on PATH'],
  [
    './bare.py',
    './bare.py has no first line that names its interpreter: begin it with #!/usr/bin/env python3, or start it by python3 bare.py',
  ],
  ['./server.exe', './server.exe is a program of Windows, and this machine has linux'],
  ['./server-mac', './server-mac is a program of macOS, and this machine has linux'],
  ['./foreign', `./foreign is a program for ${OTHER[1]}, and this machine is ${process.arch}`],
  [
    './musl',
    './musl needs the loader /lib/ld-musl-none.so.1, which is not on this machine (it was built for musl, such as on Alpine)',
  ],
  ['./folder', './folder is a folder and not a program'],
  ['./dangling', './dangling is a link to /no/such/target, which is not there'],
  ...['./static', './fine.sh', './Hi.class', './nothing', 'svc-no-such', 'sh', 'node', '/bin/sh'].map(
    (name): [string, undefined] => [name, undefined],
  ),
]
it.runIf(process.platform === 'linux' && SAME !== undefined).each(cases)('%s: %s', (name, says) =>
  expect(startFault(name, root, `${root}/bin:/usr/bin:/bin`)).toBe(says),
)

describe.each(['bubblewrap', 'marked'] as const)('a plugin kept by %s', (isolator) => {
  const runner = createRunner({ isolator })
  afterAll(() => runner.close())
  const described = (command: readonly string[], protocol?: 'mcp') =>
    runner.describe({
      id: 'tool-x',
      version: '1',
      command,
      cwd: root,
      reach: {},
      ...(protocol && { protocol }),
    })

  verifies('wall.plugin.programs', 'is refused with what is wrong with its program', async ({ skip }) => {
    needsIsolator(isolator, skip)
    expect(await described(['./plain.py'])).toMatchObject({
      code: 'plug_unavailable',
      message:
        'The plugin is not available: it could not be started: ./plain.py has no x bit: chmod +x ./plain.py.',
    })
    expect(await described(['./crlf.sh'], 'mcp')).toMatchObject({ message: expect.stringContaining('CRLF') })
  })

  verifies('wall.plugin.programs', 'has the end of its program in words', async ({ skip }) => {
    needsIsolator(isolator, skip)
    const hint = async (command: readonly string[]) => {
      const outcome = await described(command)
      return outcome.ok ? '' : outcome.details?.hint
    }
    expect(await hint(['sh', '-c', 'svc-no-such-command'])).toMatch(/^Exit code 127: a shell did not find/)
    expect(await hint(['sh', '-c', 'kill -SEGV $$'])).toMatch(/^It crashed \(SIGSEGV\)/)
  })
})
