import { verifies } from '@svc/conformance/verifies'
import { pause } from '@svc/node'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type InstallRow, installId, installs, users as userRows } from '../../catalog/records.ts'
import type { Services } from '../../edge/services.ts'
import { testServices } from '../../testing/services.ts'
import { endAccess, openUserData } from '../../user-data/user-data.ts'
import { removedId, removedUsers } from './sign-in.ts'
import { openUsers, type UserEnd } from './users.ts'

/** A host with as many installs of ada as said; what ends with her access is kept. */
async function open({ apps = 1, ...more }: { readonly apps?: number } & Partial<Pick<Services, 'bus'>> = {}) {
  const under = testServices()
  const ended: string[] = []
  const said: string[] = []
  const log = pino(
    { level: 'warn' },
    { write: (line) => void said.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const services: Services = {
    ...under,
    ...more,
    log,
    events: { ...under.events, forget: async () => {} },
    sessions: { ...under.sessions, revokeAll: async (_user, appId) => void ended.push(`sessions ${appId}`) },
    jobs: {
      ...under.jobs,
      cancelAll: async (_user, appId, reason) => void ended.push(`jobs ${appId}: ${reason}`),
    },
  }
  const users = openUsers(
    services,
    openUserData(() => services),
  )
  const news: UserEnd[] = []
  users.onEnd((end) => news.push(end))
  await users.ensure('ada')
  for (let n = 0; n < apps; n += 1)
    await services.store.insert(installs, installId('ada', `app_${n}`), {
      user_id: 'ada',
      app_id: `app_${n}`,
    } as InstallRow)
  const row = async () => (await services.store.get(userRows, 'ada'))?.row
  return { services, under, users, ended, said, news, row }
}

describe('the end of an access', () => {
  verifies(
    'user.block.ends',
    'of a blocked user is that of his sessions and jobs, in every app',
    async () => {
      const { users, ended, news } = await open({ apps: 205 })
      await users.block('ada')
      expect(news).toContainEqual({ user_id: 'ada', how: 'blocked' })
      expect(ended).toHaveLength(410)
      expect(new Set(ended)).toContain('jobs app_204: the user was blocked')
    },
  )

  verifies('user.block.ends', 'of one app that fails keeps that of no other from it', async () => {
    const { services, ended } = await open({ apps: 3 })
    const { revokeAll } = services.sessions
    services.sessions.revokeAll = async (user, appId) => {
      if (appId === 'app_1') throw new Error('the store is away')
      return revokeAll(user, appId)
    }
    const ending = endAccess(services, 'ada', 'the end', { jobs: true })
    await expect(ending).rejects.toThrow('the store is away')
    expect(ended.filter((one) => one.startsWith('jobs'))).toEqual([
      'jobs app_0: the end',
      'jobs app_2: the end',
    ])
  })

  verifies('user.sign_out', 'of one who signs out everywhere leaves his jobs', async () => {
    const { users, ended, news } = await open()
    await users.signOut('ada')
    expect(news).toContainEqual({ user_id: 'ada', how: 'signed_out' })
    expect(ended).toEqual(['sessions app_0'])
  })

  verifies('user.block.ends', 'is told here though the other hosts cannot be told', async () => {
    const { bus } = testServices()
    const { users, said, news } = await open({
      bus: { ...bus, publish: () => Promise.reject(new Error('gone')) },
    })
    await users.block('ada')
    expect(news).toEqual([{ user_id: 'ada', how: 'blocked' }])
    expect(said).toEqual(['the other hosts could not be notified that the access of a user has ended'])
  })

  it('is not heard of at other hosts without a bus, which the log says', async () => {
    const { bus } = testServices()
    const { users, said } = await open({
      bus: { ...bus, subscribe: () => Promise.reject(new Error('gone')) },
    })
    await users.close()
    expect(said).toEqual(['the events of other hosts about users cannot be received'])
  })

  it('is heard of no more once users are closed', async () => {
    const { services, under, users, news } = await open()
    await users.close()
    await services.bus.publish('users', JSON.stringify({ user_id: 'ada', how: 'blocked' }))
    await under.clock.advance(0)
    expect(news).toEqual([])
  })
})

verifies('user.sign_out', 'counts each sign-out, and two at one time as two', async () => {
  const { services, users, row } = await open()
  const now = services.clock.now()
  await users.signOut('ada')
  expect(await row()).toMatchObject({ signed_out_at: now, sign_outs: 1 })
  await users.signOut('ada')
  expect(await row()).toMatchObject({ signed_out_at: now + 1, sign_outs: 2 })
  expect([await users.admit('ada', 1), await users.admit('ada', 2)]).toEqual([false, true])
})

verifies('user.sign_out', 'of one who was never seen, or is removed, lets nobody in again', async () => {
  const { services, users } = await open()
  await users.signOut('bob')
  expect((await services.store.get(userRows, 'bob'))?.row).toMatchObject({ sign_outs: 1 })
  expect(await users.remove('ada')).toBe(true)
  await users.signOut('ada')
  expect(await services.store.get(userRows, 'ada')).toBeNull()
  await expect(users.ensure('ada')).rejects.toMatchObject({ code: 'permission_denied' })
})

verifies('user.block.refused', 'holds at once for who was just let in', async () => {
  const { users } = await open()
  expect(await users.admit('ada', 0)).toBe(true)
  await users.block('ada')
  await expect((async () => users.admit('ada', 0))()).rejects.toMatchObject({ code: 'permission_denied' })
  expect([await users.unblock('ada'), await users.unblock('ada')]).toEqual([true, false])
  expect(await users.admit('ada', 0)).toBe(true)
})

it.each(['ensure', 'block', 'signOut', 'remove', 'erase'] as const)(
  'does not %s the owner of the configured apps',
  async (act) => {
    const { services, users } = await open()
    await expect(users[act]('operator')).rejects.toMatchObject({ code: 'invalid_arg' })
    expect(await services.store.get(userRows, 'operator')).toBeNull()
    expect(await services.store.get(removedUsers, removedId('operator'))).toBeNull()
  },
)

/** Turns of the event loop in which an erase that waits for nothing is over. */
const LOOKS = 2_000

verifies('user.erase.crowd', 'deletes what a call wrote that was under way', async () => {
  const { services, users } = await open()
  const late = installId('ada', 'app_late')
  const call = services.underWay.enter({ userId: 'ada' }, () => new AbortController().signal)
  const other = services.underWay.enter({ userId: 'bob' }, () => new AbortController().signal)
  const [gone, others] = [call.gone(), other.gone()]
  let before: unknown = null
  gone.addEventListener('abort', async () => {
    for (let turn = 0; turn < LOOKS; turn += 1) await pause()
    before = await services.store.get(installs, installId('ada', 'app_0'))
    await services.store.insert(installs, late, { user_id: 'ada', app_id: 'app_late' } as InstallRow)
    call.leave()
  })
  await users.erase('ada')
  expect(before).not.toBeNull()
  expect([gone.aborted, others.aborted]).toEqual([true, false])
  expect(await services.store.get(installs, late)).toBeNull()
})

it('removes a user with his verified name, and deletes with all that was his', async () => {
  const { services, users, news } = await open()
  expect(await users.verifyPublisher('ada', 'Ada Works')).toEqual({ name: 'Ada Works', verified: true })
  expect(await users.remove('ada')).toBe(true)
  expect(news).toContainEqual({ user_id: 'ada', how: 'blocked' })
  expect(await users.withdrawPublisher('ada')).toBe(false)
  expect(await users.remove('ada')).toBe(false)
  const lines = []
  for await (const line of users.export('ada')) lines.push(line)
  expect(JSON.stringify(lines)).toContain('app_0')
  await users.erase('ada')
  expect(await services.store.get(installs, installId('ada', 'app_0'))).toBeNull()
})
