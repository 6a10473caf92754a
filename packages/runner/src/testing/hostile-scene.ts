import { createSocket } from 'node:dgram'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Limits, limits } from '@svc/contract/limits'
import { beforeEach } from 'vitest'
import type { IsolatorName } from '../isolation/isolators.ts'
import { problemOf } from '../isolation/probes.ts'
import type { CallInput, CommandSpec } from '../port/runner.ts'
import { createRunner } from '../runner.ts'

/** A public name whose address is this machine. */
const AGREED = 'localtest.me'
export const SECRET = 'svcr_secret_of_the_host'
/** Where a flood is at work, a busy machine takes many times as long as a quiet one. */
const TIMEOUT_MS = 60_000

/** A scene that is open. */
export type Scene = Awaited<ReturnType<typeof openScene>>

/** Opens a runner with a secret, and a host around it with all that a plugin could want. */
export async function openScene(isolator: IsolatorName, tight: Partial<Limits> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'))
  const installDir = join(folder, 'installs')
  const other = join(installDir, 'other', 'index.js')
  mkdirSync(join(installDir, 'other'), { recursive: true })
  writeFileSync(other, 'genuine')
  writeFileSync(join(folder, 'secret'), SECRET)
  const state = join(folder, 'state', 'key.pem')
  mkdirSync(join(folder, 'state'))
  writeFileSync(state, SECRET)
  const alias = `${folder}-alias`
  symlinkSync(folder, alias)
  process.env.SVC_RUNNER_TOKEN = SECRET
  const web = createServer((_request, response) => response.end(SECRET))
  const local = createTcp().listen(join(folder, 'socket'))
  const abstract = `svc-hostile-${process.pid}`
  const named = createTcp().listen(`\0${abstract}`)
  const udp = createSocket('udp4')
  udp.on('message', (_text, { port }) => udp.send(SECRET, port, '127.0.0.1'))
  await Promise.all([new Promise<void>((done) => web.listen(0, '127.0.0.1', done)), bound(udp)])
  const port = (web.address() as AddressInfo).port
  const runner = createRunner({ installDir, isolator, showStderr: true, limits: { ...limits, ...tight } })
  runner.hide(join(folder, 'state'))
  const script = new URL('./hostile-plugin.ts', import.meta.url).pathname
  const plugin: CommandSpec = {
    id: 'tool-hostile',
    version: '1.0.0',
    command: ['node', script],
    reach: { hosts: [AGREED] },
  }
  const args = {
    runner: process.pid,
    secret: SECRET,
    file: join(folder, 'secret'),
    home: homedir(),
    other,
    port,
    state,
    install: script,
    socket: join(folder, 'socket'),
    abstract,
    udp: udp.address().port,
    agreed: AGREED,
  }
  const call = (
    tool: string,
    plugin: CommandSpec,
    args: Readonly<Record<string, unknown>>,
    more: Pick<Partial<CallInput>, 'userId' | 'signal'> = {},
  ) =>
    runner.call({
      userId: 'eve',
      ...more,
      plugin,
      tool,
      args,
      graceMs: 0,
      invokeId: tool,
      timeoutMs: TIMEOUT_MS,
      deadlineMs: Date.now() + TIMEOUT_MS,
      maxResultBytes: 65_536,
    })
  const servers: (Server | ReturnType<typeof createTcp>)[] = [web, local, named]
  return {
    runner,
    folder,
    alias,
    /** Lets a plugin attack. */
    attack: (tool: string) => call(tool, plugin, args),
    /** The same, as a process of some user, for as long as somebody waits for it. */
    attackAs: (userId: string, tool: string, signal: AbortSignal) =>
      call(tool, plugin, args, { userId, signal }),
    /** Lets a plugin attack that reaches a folder, and what lies there: the whole scene under some name, or a part. */
    attackFrom(tool: string, path: string, access: 'read' | 'write' = 'read') {
      const reach: CommandSpec['reach'] = { hosts: [AGREED], folders: [{ path, access }] }
      const under = (file: string) => file.replace(folder, path)
      return call(tool, { ...plugin, reach }, { ...args, state: under(state), other: under(other) })
    },
    /** Lets a plugin that reads a folder, under some name, look for a file in there. */
    readsFrom(path: string, file: string, userId = 'eve') {
      const reach: CommandSpec['reach'] = { folders: [{ path, access: 'read' }] }
      const state = file.replace(folder, path)
      return call('reads the state of the machine', { ...plugin, reach }, { ...args, state }, { userId })
    },
    async close() {
      delete process.env.SVC_RUNNER_TOKEN
      await runner.close()
      for (const server of servers) server.close()
      udp.close()
      rmSync(alias)
      rmSync(folder, { recursive: true })
    },
  }
}

const bound = (socket: ReturnType<typeof createSocket>) =>
  new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))

/** Skips the tests of a block where this machine has no walls. */
export function skipWithoutWalls(): void {
  const problem = problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)
  beforeEach(({ skip }) => skip(problem !== null, `bubblewrap may not be used here: ${problem}`))
}
