import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { memoryBus, memoryStore } from '@svc/state'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { openMachineHost } from '../testing/runner-host.ts'
import { hello, openMachine, refusedMachine } from '../testing/runner-machine.ts'
import { runners } from './runner-row.ts'

let at: Awaited<ReturnType<typeof openMachineHost>>
beforeEach(async () => {
  at = await openMachineHost({ limits: { LINK_GRACE_MS: 50 } })
})
afterEach(() => at.close())

const lost = { ok: false, code: 'agent_unavailable', details: { retriable: true } }

describe('coming in', () => {
  verifies(
    ['runner.token.alone', 'route.runners'],
    'a token that no machine has is refused before the upgrade',
    async () => {
      const wrong = `${at.token.slice(0, -1)}${at.token.endsWith('0') ? '1' : '0'}`
      const { host } = at
      for (const token of [null, '', 'x', 'svcr_', wrong, at.token.toUpperCase(), `${at.token}0`])
        expect(await refusedMachine(at.port, token)).toMatchObject({
          status: 401,
          body: { error: { code: 'invalid_token', details: { hint: expect.any(String) } } },
        })
      expect(host.runners.online('ada')).toEqual([])
    },
  )

  verifies('runner.token.alone', 'neither cookie nor Origin lets a machine in, or keeps it out', async () => {
    const headers = { origin: 'https://elsewhere.example', cookie: 'svc_signin=x' }
    expect(await refusedMachine(at.port, null, headers)).toMatchObject({ status: 401 })
    await at.online({ headers })
    expect(at.host.runners.online('ada')).toMatchObject([{ id: at.runnerId, owner: 'ada', epoch: 1 }])
  })

  verifies('wall.host_header', 'its Host is judged as that of any request', async () => {
    expect(await refusedMachine(at.port, at.token, { host: 'evil.example' })).toMatchObject({ status: 403 })
  })

  verifies('runner.token.alone', 'a user that is gone has no machines', async () => {
    await at.host.users.remove('ada')
    expect(await refusedMachine(at.port, at.token)).toMatchObject({ status: 401 })
  })

  verifies.each('link.version')([[1], [0], ['2'], [undefined]])(
    'version %s is refused with a sentence',
    async (version) => {
      const machine = await at.connect({ hello: { ...hello, version } })
      const { code, reason } = await machine.closed
      expect(code).toBe(4426)
      expect(reason).toMatch(/^the host speaks version 2 of the link, the machine .+: update the older$/)
      expect(at.host.runners.online('ada')).toEqual([])
    },
  )

  verifies('route.runners', 'what it says of itself is shown, and no more of it than is sound', async () => {
    await at.online({
      hello: {
        ...hello,
        platform: `a\u0000b${'x'.repeat(500)}`,
        node: 7,
        installs: ['npm', 8],
        slots: { jobs: 2 },
      },
    })
    expect(at.link()).toMatchObject({ id: at.runnerId, owner: 'ada', slots: 2 })
    expect(await at.host.runners.list('ada')).toEqual([
      {
        runner_id: at.runnerId,
        name: 'A laptop',
        state: 'online',
        machine: { platform: expect.stringMatching(/^abx{50,}$/), node: '', installs: ['npm', ''] },
        slots: { jobs: 2, jobs_running: 0, calls_busy: 0 },
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
      },
    ])
  })
})

describe('one link a machine', () => {
  verifies(
    'link.epoch',
    'a later connection displaces the older, and what that one says has no effect',
    async () => {
      const old = await at.online()
      const before = at.link()
      const call = at.call()
      const asked = await old.hear('call')
      // It sees nothing of the end that the host has told it meanwhile, and goes on.
      old.ws.pause()
      const next = await at.online()
      expect(await call).toMatchObject(lost)
      old.answer(asked, { from: 'old' })
      expect(at.host.runners.online('ada')).toMatchObject([{ epoch: 2 }])
      expect(await before.runner.call(at.asked())).toMatchObject(lost)

      const second = at.call()
      const heard = await next.hear('call')
      old.answer(heard, { from: 'old' })
      next.answer(heard, { from: 'new' })
      expect(await second).toMatchObject({ ok: true, payload: { from: 'new' } })
      old.ws.resume()
      // Or its connection is cut, where it took too long.
      expect((await old.closed).code).toBeOneOf([4409, 1006])
    },
  )

  verifies('link.epoch', 'of ten that come at once exactly one is live', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => at.connect()))
    const live = () => all.filter(({ ws }) => ws.readyState === ws.OPEN)
    await expect.poll(() => live().length).toBe(1)
    await expect.poll(() => at.host.runners.online('ada')).toMatchObject([{ epoch: 10 }])
    const [one] = live()
    const call = at.call()
    if (one) one.answer(await one.hear('call'), { n: 1 })
    expect(await call).toMatchObject({ ok: true, payload: { n: 1 } })
    for (const other of all.filter((machine) => machine !== one))
      expect(await other.closed).toMatchObject({ code: 4409 })
  })

  verifies(
    ['runner.own', 'link.serves'],
    'each user has the machines that it enrolled, in the order in which they came',
    async () => {
      await at.host.users.ensure('bob')
      const of = async (user: string) => {
        const { runner_id, token } = await at.host.runners.enrol(user, { name: user })
        const machine = await openMachine(at.port, token)
        await machine.hear('welcome')
        return { runner_id, machine }
      }
      const changes: [user: string | null, id: string, isOnline: boolean][] = []
      const stop = at.host.runners.onChange(({ userId, link, isOnline }) =>
        changes.push([userId, link.id, isOnline]),
      )
      const bobs = await of('bob')
      const [first, second] = [await of('ada'), await of('ada')]
      const ids = (user: string) => at.host.runners.online(user).map(({ id }) => id)
      expect([ids('ada'), ids('bob')]).toEqual([[first.runner_id, second.runner_id], [bobs.runner_id]])
      for (const { machine } of [bobs, first, second]) machine.ws.terminate()
      await expect.poll(() => [ids('ada'), ids('bob')]).toEqual([[], []])
      expect(changes.filter(([user]) => user === 'bob')).toEqual([
        ['bob', bobs.runner_id, true],
        ['bob', bobs.runner_id, false],
      ])
      stop()
    },
  )
})

verifies(
  ['runner.revoke.at_once', 'link.epoch'],
  'a link that begins while its machine is revoked, or linked to another host, does not stand',
  async () => {
    const store = memoryStore()
    const late = Promise.withResolvers<void>()
    const slow: typeof store = {
      ...store,
      // The answer to the write of the epoch comes when all is over.
      async swap(...args) {
        const swapped = await store.swap(...args)
        await late.promise
        return swapped
      },
    }
    const other = await openMachineHost({ store: slow, secret: 's'.repeat(32) })
    const machine = await other.connect()
    const epochOf = async () => (await store.get(runners, other.runnerId))?.row.epoch
    await expect.poll(epochOf).toBe(1)
    await other.host.runners.revoke('ada', other.runnerId)
    late.resolve()
    expect(await machine.closed).toMatchObject({ code: 4401 })
    expect(other.host.runners.online('ada')).toEqual([])
    await other.close()
  },
)

verifies('link.epoch', 'a machine that connects to another host leaves the first', async () => {
  const store = memoryStore()
  const bus = memoryBus({ clock: systemClock })
  const shared = { store, bus, secret: 's'.repeat(32) }
  const [first, second] = [await openMachineHost(shared), await openMachineHost(shared)]
  const machine = await first.online()
  const next = await openMachine(second.port, first.token)
  await next.hear('welcome')
  expect(await machine.closed).toMatchObject({ code: 4409 })
  expect(first.host.runners.online('ada')).toEqual([])
  expect(second.host.runners.online('ada')).toMatchObject([{ id: first.runnerId, epoch: 2 }])
  await second.host.runners.revoke('ada', first.runnerId)
  expect(await next.closed).toMatchObject({ code: 4401 })
  await first.close()
  await second.close()
  await bus.close()
})

verifies(
  'link.leaving',
  'a host that closes lets a call end, takes no machine more, and leaves',
  async () => {
    const machine = await at.online()
    const idle = await (async () => {
      await at.host.users.ensure('bob')
      const { token } = await at.host.runners.enrol('bob', { name: 'x' })
      const one = await openMachine(at.port, token)
      await one.hear('welcome')
      return one
    })()
    const call = at.call()
    const asked = await machine.hear('call')
    const closing = at.host.close()
    expect(await idle.closed).toMatchObject({ code: 1001 })
    machine.answer(asked, { n: 1 })
    expect(await call).toMatchObject({ ok: true, payload: { n: 1 } })
    expect(await machine.closed).toMatchObject({ code: 1001 })
    await closing
  },
)
