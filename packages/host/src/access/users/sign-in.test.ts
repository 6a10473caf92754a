import { verifies } from '@svc/conformance/verifies'
import { SIGN_IN_COOKIE } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { testServices } from '../../testing/services.ts'
import { openSignIn, type SignedIn } from './sign-in.ts'

const head = (cookie?: string) => ({
  method: 'GET',
  url: '/',
  peer: '9.9.9.9',
  get: (name: string) => (name === 'cookie' ? cookie : undefined),
  request: () => new Request('http://127.0.0.1/'),
})

describe('the sign-in of an embedder', () => {
  /** A host whose embedder says who sent a request. */
  function open(user: SignedIn | null) {
    const services = testServices()
    const said = { user }
    const { userOf } = openSignIn({ ...services, authenticate: () => said.user })
    const noted = async () => (await services.audit.read({ log: 'acts', limit: 10 })).entries
    return { services, said, userOf: () => userOf(head()), noted }
  }

  it.each([
    ['nobody', null, null],
    ['the owner of the configured apps', { id: 'operator' }, null],
    ['a user', { id: 'ada' }, 'ada'],
  ])('by %s', async (_name, user, id) => {
    const { userOf, noted } = open(user)
    expect(await userOf()).toBe(id)
    expect(await noted()).toHaveLength(id === null ? 0 : 1)
  })

  verifies('audit.entry', 'is noted where the user is seen first', async () => {
    const { userOf, noted } = open({ id: 'ada' })
    await userOf()
    await userOf()
    expect(await noted()).toEqual([
      expect.objectContaining({ what: 'user.sign_in', user_id: 'ada', outcome: 'ok', address: '9.9.9.9' }),
    ])
  })

  verifies('user.sign_out', 'is over where it is no younger than the last sign-out everywhere', async () => {
    const { services, said, userOf } = open({ id: 'ada', at: 0 })
    expect(await userOf()).toBeNull()
    said.user = { id: 'ada', at: 1 }
    expect(await userOf()).toBe('ada')
    const now = services.clock.now()
    await services.users.signOut('ada')
    for (const [at, id] of [
      [now - 1, null],
      [now, null],
      [now + 1, 'ada'],
    ] as const) {
      said.user = { id: 'ada', at }
      expect(await userOf()).toBe(id)
    }
    said.user = { id: 'ada' }
    expect(await userOf()).toBe('ada')
  })

  verifies('user.block.refused', 'is refused of a user who is blocked', async () => {
    const { services, userOf } = open({ id: 'ada' })
    await services.users.block('ada')
    await expect(userOf()).rejects.toMatchObject({ code: 'permission_denied' })
  })
})

describe('the sign-in of development', () => {
  /** A host with ada, and her cookie after so many sign-outs; left out, the token says nothing of any. */
  async function open(sign_outs?: number) {
    const services = testServices()
    await services.users.ensure('ada')
    const claims = { user_id: 'ada', ...(sign_outs !== undefined && { sign_outs }) }
    const token = await services.tokens.mint('signIn', claims, 60_000)
    const { userOf } = openSignIn({ ...services, authenticate: undefined })
    return { services, userOf: () => userOf(head(`${SIGN_IN_COOKIE}=${token}`)), of: userOf }
  }

  it('is the user of the cookie', async () => {
    const { userOf, of } = await open()
    expect(await userOf()).toBe('ada')
    expect(of(head())).toBeNull()
    expect(of(head('other=1'))).toBeNull()
    expect(await of(head(`${SIGN_IN_COOKIE}=a.b.c`))).toBeNull()
  })

  verifies.each('user.sign_out')<[number | undefined, number, string | null]>([
    [undefined, 0, 'ada'],
    [undefined, 1, null],
    [0, 0, 'ada'],
    [0, 1, null],
    [1, 1, 'ada'],
    [1, 2, null],
  ])('made after %s sign-outs, is good after %i: %s', async (made, times, id) => {
    const { services, userOf } = await open(made)
    for (let n = 0; n < times; n++) await services.users.signOut('ada')
    expect(await userOf()).toBe(id)
  })
})
