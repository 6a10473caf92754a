import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { decodeProtectedHeader } from 'jose'
import { expect } from 'vitest'
import { createHost } from '../../create-host.ts'
import { openEntryTickets } from './entry-tickets.ts'
import type { Secret } from './secrets.ts'
import { openTokens } from './tokens.ts'

const alone = 'a'.repeat(32)
const [old, next] = [
  { kid: 'spring', secret: alone },
  { kid: 'summer', secret: 'b'.repeat(32) },
]
const clock = frozenClock()
const open = (secret: Secret) => openTokens({ secret, clock, limits })
const window = { wid: 'w', user_id: 'ada', app_id: 'a', version_id: 'v', scopes: [] }

/** What is signed before and after, and whether it is good then. */
const rotations: readonly (readonly [name: string, before: Secret, after: Secret, isGood: boolean])[] = [
  ['a new first one', [old], [next, old], true],
  ['a host that has the next one already', [next], [old, next], true],
  ['a secret that is given its name', alone, [old], true],
  ['a secret that is given its name, behind a new one', alone, [next, old], true],
  ['one that was taken away', [old], [next], false],
  ['the secret of another, under the same name', [old], [{ kid: 'spring', secret: next.secret }], false],
  ['the same secret under another name', [old], [{ kid: 'autumn', secret: alone }], false],
]

verifies.each(['secret.rotate', 'secret.removed'])(rotations)(
  'tokens after %s',
  async (_, before, after, isGood) => {
    const good = async (audience: 'window' | 'session' | 'signIn' | 'upload', text: string) =>
      (await open(after).verify(audience, text)) !== null
    const minted = {
      window: await open(before).mint('window', window, 1_000),
      signIn: await open(before).mint('signIn', { user_id: 'ada' }, 1_000),
      upload: await open(before).mint('upload', { file_ref: 'f' }, 1_000),
      session: await open(before).mint(
        'session',
        {
          app_session_uuid: 'aps_1',
          user_id: 'ada',
          app_id: 'a',
          kind: 'agent',
          submode: 'auto',
          fixed_client_id: null,
        },
        1_000,
      ),
    }
    for (const [audience, text] of Object.entries(minted))
      expect(await good(audience as keyof typeof minted, text), audience).toBe(isGood)
  },
)

verifies(
  'secret.rotate',
  'tickets of windows that are open are good as long as their secret is there',
  () => {
    const ticket = openEntryTickets([old]).mint('w', 'd'.repeat(64))
    const read = (secret: Secret) => openEntryTickets(secret).read(ticket, 'd'.repeat(64))
    expect([read([next, old]), read([next]), read(alone)]).toEqual(['w', null, 'w'])
  },
)

verifies('secret.rotate', 'a token names the secret that signed it', async () => {
  const kidOf = async (secret: Secret) =>
    decodeProtectedHeader(await open(secret).mint('window', window, 1_000)).kid
  expect([await kidOf(alone), await kidOf([next, old])]).toEqual([undefined, 'summer'])
})

verifies(
  ['secret.rotate', 'secret.removed'],
  'a window lives through a rotation, and not through two',
  async () => {
    const ports = { store: memoryStore(), bus: memoryBus({ clock }), blobs: memoryBlobs() }
    const first = await openTestHost({ ...ports, clock, secret: [old] })
    const { token, cookie, windowUuid } = await first.openWindow()
    const beat = async (secret: Secret) => {
      const host = createHost({ ...ports, clock, secret, harness: true, runner: null, models: null })
      const response = await host.fetch(
        new Request(`${first.origin}/api/v1/svc-apps/runtime/rpc`, {
          method: 'POST',
          headers: {
            host: '127.0.0.1:8787',
            origin: first.origin,
            cookie,
            'x-svc-app-token': token,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            id: '1',
            window_uuid: windowUuid,
            ns: 'window',
            method: 'heartbeat',
            args: {},
          }),
        }),
      )
      await host.close()
      return response.status
    }
    expect([await beat([next, old]), await beat([next])]).toEqual([200, 401])
    await first.close()
  },
)

verifies.each('secret.names')([
  [
    'a short one',
    [{ kid: 'a', secret: 'short' }],
    'secret[0].secret must have at least 32 characters, got 5 characters',
  ],
  ['an empty list', [], 'a list with one { kid, secret } at least, got a list'],
  [
    'a name with a space',
    [{ kid: 'a b', secret: alone }],
    'secret[0].kid must be 1 to 64 letters, digits, _ and -, got 3 characters',
  ],
  ['a name that is there twice', [old, { ...next, kid: 'spring' }], 'secret must have each kid once'],
])('%s is refused', (_, secret, sentence) => {
  expect(() => createHost({ secret })).toThrow(sentence)
})
