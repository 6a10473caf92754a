import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { someRows } from '@svc/conformance/testing/some-rows'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunnerOptions } from '../runner.ts'
import { ask, thefts, traps } from '../testing/hostile-packages.ts'
import { type InstallBed, openInstallBed } from '../testing/install.ts'
import { managerFakes } from '../testing/manager-fakes.ts'

vi.setConfig({ testTimeout: 120_000 })

const kinds = ['uv', 'pipx'] as const
type Kind = (typeof kinds)[number]

let bed: InstallBed
let closes: (() => unknown)[]
beforeEach(() => {
  bed = openInstallBed()
  closes = [() => bed.close()]
  vi.stubEnv('HOME', bed.folder)
  vi.stubEnv('SVC_SECRET', 'of the runner')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closes.reverse()) await close()
})

/** Puts a package manager on PATH that does what its code says before it installs the package. */
function put(kind: Kind, before: string, after = ''): void {
  const path = join(bed.folder, 'path')
  mkdirSync(path, { recursive: true })
  const program = (name: string, text: string) => writeFileSync(join(path, name), text, { mode: 0o700 })
  program(kind, `#!/bin/sh\n${before}\n${managerFakes[kind]}\n${after}\n`)
  program('ask', `#!${process.env.PYTHON ?? '/usr/bin/env'} python3\n${ask}`)
  vi.stubEnv('PATH', `${path}:${process.env.PATH}`)
}

/** Without walls it is not even in a namespace of processes, as on a machine that has none. */
const bare: RunnerOptions = { isolation: 'none', isolator: 'plain' }

const install = (kind: Kind, options: RunnerOptions = {}) =>
  bed.open(options).install(bed.plugin({ type: kind, package_name: 'tiny' }))

/** A folder of the machine that one attack may have. */
function target(name: string): string {
  const folder = join(bed.folder, 'targets', name)
  for (const [path, text] of [
    ['secret', 'a secret'],
    ['path/tool', 'genuine'],
    ['installs/other/index.js', 'genuine'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o644 })
  }
  return folder
}

/** All that is in a folder, with its modes. */
const shapeOf = (folder: string) =>
  globSync('**', { cwd: folder })
    .sort()
    .map((path) => {
      const stats = lstatSync(join(folder, path))
      return [path, stats.mode, stats.isFile() ? readFileSync(join(folder, path), 'utf8') : '']
    })

/** What listens on the machine: by TCP, UDP, a socket that is a file and one that is none. */
async function openMachine() {
  const listen = async (at: object | string) => {
    const server: Server = createServer((socket) => void socket.on('error', () => {}).end('a machine'))
    await once(server.listen(at), 'listening')
    closes.push(() => server.close())
    return server
  }
  const tcp = await listen({ port: 0, host: '127.0.0.1' })
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4', (_words, { port }) => udp.send('a machine', port, '127.0.0.1'))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  closes.push(() => udp.close())
  const file = join(bed.folder, 'machine.sock')
  await listen(file)
  const name = `svc-test-${process.pid}-${port}`
  await listen(`\0${name}`)
  return [process.pid, port, file, name]
}

/** Which of all thefts succeeded in one install. */
async function succeeded(kind: Kind, options?: RunnerOptions): Promise<string[]> {
  const machine = await openMachine()
  const names = Object.keys(thefts)
  const targets = names.map((_name, at) => target(String(at)))
  const words = Object.values(thefts).map((text, at) => {
    const file = join(bed.folder, 'path', `theft-${at}`)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
    const given = [targets[at], ...machine].map((one) => `'${one}'`).join(' ')
    return `mkdir -p ../got w${at}; (cd w${at} && timeout 20 sh -c "$(cat ${file})" ${given} > ../../got/${at} 2>/dev/null)`
  })
  put(kind, words.join('\n'))
  const before = targets.map(shapeOf)
  expect(await install(kind, options)).toEqual({ ok: true })
  return names.filter((_name, at) => {
    const [got = ''] = globSync(join(bed.installDir, `*/files/got/${at}`))
    const isChanged = JSON.stringify(shapeOf(targets[at] as string)) !== JSON.stringify(before[at])
    return isChanged || readFileSync(got, 'utf8') !== ''
  })
}

describe.each(kinds)('a package whose code runs while %s installs it', (kind) => {
  it('has every theft succeed where nothing isolates it: the attacks are real', async () => {
    const isRoot = process.getuid?.() === 0
    const all = Object.keys(thefts).filter((name) => isRoot || name !== 'reads the passwords of the machine')
    expect(await succeeded(kind, bare)).toEqual(all)
  })

  verifies('wall.plugin.install', 'has none succeed behind the wall', async () => {
    expect(await succeeded(kind)).toEqual([])
  })

  // What looks at an install later is the same for both.
  it.each(someRows(Object.keys(traps), kind === 'pipx' ? 15 : 3))(
    'leaves %s, and nothing hangs or changes',
    async (trap) => {
      const folder = target('0')
      const bin = kind === 'uv' ? '$UV_TOOL_BIN_DIR' : '$PIPX_BIN_DIR'
      const file = join(bed.folder, 'path/trap')
      put(kind, '', `cd .. && mkdir -p tmp && cd tmp && BIN="${bin}" sh "${file}" && true`)
      writeFileSync(file, `cd ..\n${traps[trap]?.replaceAll('$0', folder)}`)
      const before = shapeOf(folder)
      const { ok } = await install(kind)
      expect(ok ? bed.left().length : bed.left()).toEqual(ok ? 1 : [])
      expect(shapeOf(folder)).toEqual(before)
    },
  )
})
