// Alone: it fills the memory of the machine.

import { createSocket } from 'node:dgram'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallInput, CommandSpec } from '../port/runner.ts'
import { createRunner } from '../runner.ts'
import { attacks, type floods } from '../testing/attacks.ts'
import type { IsolatorName } from './isolators.ts'
import { isAllowed, problemOf } from './probes.ts'

/** A public name whose address is this machine. */
const AGREED = 'localtest.me'
const SECRET = 'svcr_secret_of_the_host'
const TIMEOUT_MS = 20_000

/** Names of the folder in which all of a scene lies. */
const ways = {
  'the folder above': ({ folder }) => folder,
  'a link to the folder above': ({ alias }) => alias,
  'the folder above with two slashes': ({ folder }) => `/${folder}`,
} satisfies Record<string, (at: { readonly folder: string; readonly alias: string }) => string>
type Way = keyof typeof ways

/** A runner with a secret, and a host around it with all that a plugin could want. */
async function openScene(isolator: IsolatorName, tight: Partial<Limits> = {}) {
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
  const script = new URL('../testing/attacks.ts', import.meta.url).pathname
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
    readsFrom(path: string, file: string) {
      const reach: CommandSpec['reach'] = { folders: [{ path, access: 'read' }] }
      const state = file.replace(folder, path)
      return call('reads the state of the machine', { ...plugin, reach }, { ...args, state })
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

/** How a flood is ended, and what its author reads. */
const ends: Readonly<Record<keyof typeof floods, RegExp>> = {
  'has others fill memory': /bytes of memory/,
  'forks without end': /more than 256 processes/,
  'fills its folder': /folder holds more than 2147483648 bytes/,
  'fills its folder with files': /folder holds more than 50000 files/,
}

const has = isAllowed('bubblewrap', limits.ISOLATION_PROBE_MS)
if (!has)
  console.warn(
    `no walls are tried: ${problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)}; apt install bubblewrap`,
  )

/** Attacks that do no harm where they succeed. */
const harmless: readonly (keyof typeof attacks)[] = [
  'reads the environment of the runner',
  'reads the memory of the runner',
  'finds a process that is not its own',
  'reads a file of the host',
  'reads the home of the user',
  'reads the install of another',
  'reads the state of the machine',
  'follows a link out of its folder',
  'reaches the loopback of the host',
  'sends a datagram to the host',
  'reaches a socket of the host',
  'reaches an abstract socket of the host',
  'signals the runner',
  'may gain privileges',
  'reads /etc/shadow',
  'fills the memory of /tmp',
]

describe('a plugin without walls', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    scene = await openScene('marked')
  })
  afterAll(() => scene.close())

  it.each(harmless)('gets what it wants where it %s: the attack is a real one', async (tool) => {
    const outcome = await scene.attack(tool)
    expect(outcome).toMatchObject({ ok: true })
    expect(outcome.ok && (outcome.payload as { got: unknown }).got).not.toBeNull()
  })
})

describe.skipIf(!has)('a plugin behind walls', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    scene = await openScene('bubblewrap')
  })
  afterAll(() => scene.close())

  verifies.each(['wall.plugin.view', 'wall.plugin.network', 'wall.plugin.kernel'])(Object.keys(attacks))(
    'gets nothing where it %s',
    async (tool) => expect(await scene.attack(tool)).toMatchObject({ ok: true, payload: { got: null } }),
  )

  verifies.each('wall.plugin.bounds')(Object.entries(ends))('is ended where it %s', async (tool, says) => {
    const outcome = await scene.attack(tool)
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    expect(JSON.stringify(outcome)).toMatch(says)
  })

  verifies.each('wall.plugin.view')(
    [
      'reads the install of another',
      'writes the install of another',
      'reads the state of the machine',
    ].flatMap((tool) => (Object.keys(ways) as Way[]).map((way) => [way, tool] as const)),
  )('that reads %s gets nothing where it %s', async (way, tool) =>
    expect(await scene.attackFrom(tool, ways[way](scene))).toMatchObject({
      ok: true,
      payload: { got: null },
    }),
  )

  verifies.each('wall.plugin.view')(Object.keys(ways) as Way[])(
    'is not started where it may write %s, and so rename the state of the machine',
    async (way) => {
      const outcome = await scene.attackFrom('writes the install of another', ways[way](scene), 'write')
      expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
      expect(JSON.stringify(outcome)).toMatch(/it may write \S+, which contains folders of svc/)
    },
  )

  verifies.each('wall.plugin.view')(Object.keys(ways) as Way[])(
    'that reads %s gets nothing of a state of the machine that comes while it runs',
    async (way) => {
      const state = join(scene.folder, way.replaceAll(' ', '-'), 'svc')
      scene.runner.hide(state)
      const reads = () => scene.readsFrom(ways[way](scene), join(state, 'key.pem'))
      const before = await reads()
      expect(before).toMatchObject({ ok: true, payload: { got: null } })
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, 'key.pem'), SECRET)
      // The same process, which is still warm, gets no more of it.
      expect(await reads()).toMatchObject({ ok: true, payload: before.ok ? before.payload : undefined })
    },
  )

  verifies('wall.plugin.view', 'is not started where it reaches into the state of the machine', async () => {
    const outcome = await scene.attackFrom('reads the state of the machine', join(scene.folder, 'state'))
    expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
    expect(JSON.stringify(outcome)).toMatch(/it reaches \S+, which belongs to svc/)
  })
})

describe.skipIf(!has)('a plugin behind walls that may use 4 seconds of CPU', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    scene = await openScene('bubblewrap', { PLUGIN_CPU_MAX_S: 4 })
  })
  afterAll(() => scene.close())

  verifies('wall.plugin.bounds', 'is ended where those that it starts use more together', async () => {
    const outcome = await scene.attack('has others burn CPU')
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    expect(JSON.stringify(outcome)).toMatch(/used more than 4 seconds of CPU/)
  })
})

describe.skipIf(!has)('plugins of a user who may have 700 MB of memory', () => {
  let scene: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    scene = await openScene('bubblewrap', { USER_MEMORY_MAX_BYTES: 700_000_000 })
  })
  afterAll(() => scene.close())

  verifies('wall.plugin.shares', 'lose one where three hold more, and no other user does', async () => {
    const leave = new AbortController()
    const users = ['eve', 'eve', 'eve', 'ada', 'ada']
    const ended: string[] = []
    const calls = users.map((user) =>
      scene.attackAs(user, 'holds memory as long as it may', leave.signal).then((outcome) => {
        if (!leave.signal.aborted) ended.push(user)
        return outcome
      }),
    )
    const first = await Promise.race(calls)
    expect(JSON.stringify(first)).toMatch(/more than 700000000 bytes of memory, and/)
    // What is left of the user is below the bound: nobody else is looked for.
    const next = scene.attackAs('ada', 'reads /etc/shadow', leave.signal)
    expect(await next).toMatchObject({ ok: true, payload: { got: null } })
    expect(ended).toEqual(['eve'])
    leave.abort()
    await Promise.all(calls)
  })
})
