import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import type { HostContext, PageCalls } from '@svc/contract/wire'
import { type Endpoint, expose } from 'comlink'
import { expect, it, onTestFinished } from 'vitest'
import { createBundleClient } from './bundle-client.ts'

const context = (locale: string): HostContext => ({ theme: 'dark', locale, focused: true })

/** A client whose port leads to `other`, the bundle's end. */
function bundleOf(other: (port: MessagePort) => void) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port2.close())
  other(port2)
  const clock = frozenClock()
  const client = createBundleClient(port1, clock, () => true)
  onTestFinished(() => client.close())
  return { client, clock }
}

/** A bundle that exposes `pageCalls` as the SDK does. */
const exposing = (pageCalls: Partial<PageCalls>) => (port: MessagePort) => expose(pageCalls, port as Endpoint)

verifies('wall.frame.unresponsive', 'counts the looks at which a document owes a sign of life', async () => {
  const silent = bundleOf(() => {}).client
  expect([silent.look(), silent.look(), silent.look()]).toEqual([1, 2, 3])
  const { client } = bundleOf(exposing({}))
  client.look()
  // The answer is under way at first.
  await expect.poll(() => client.look()).toBe(1)
})

it('tells what comlink exposes its surroundings; while news are on the way, only the newest waits', async () => {
  const heard: string[] = []
  let taken = () => {}
  const { client } = bundleOf(
    exposing({
      contextChanged({ locale }) {
        heard.push(locale)
        return new Promise<void>((done) => {
          taken = done
        }) as unknown as undefined
      },
    }),
  )
  for (const locale of ['de', 'en', 'fr']) client.setContext(context(locale))
  await expect.poll(() => heard).toEqual(['de'])
  taken()
  await expect.poll(() => heard).toEqual(['de', 'fr'])
})

it.each<[string, Partial<PageCalls>, boolean]>([
  ['false', { beforeClose: (reason) => reason !== 'why' }, false],
  ['a promise of false', { beforeClose: async () => false }, false],
  ['true', { beforeClose: () => true }, true],
  ['nothing', { beforeClose: (() => {}) as unknown as PageCalls['beforeClose'] }, true],
  [
    'an error',
    {
      beforeClose() {
        throw new Error('no')
      },
    },
    true,
  ],
  ['with no such method', {}, true],
])('may close when the bundle answers %s', async (_, pageCalls, may) => {
  const { client, clock } = bundleOf(exposing(pageCalls))
  expect(await client.mayClose('why')).toBe(may)
  expect(clock.timers).toBe(0)
})

it('waits a second for a bundle that does not answer', async () => {
  const { client, clock } = bundleOf(() => {})
  const asked = client.mayClose(null)
  clock.advance(1_000)
  expect(await asked).toBe(true)
  expect(clock.timers).toBe(0)
})

it('reads of an answer which call it answers and one plain value, and of anything else nothing', async () => {
  const { client } = bundleOf((port) => {
    port.onmessage = ({ data: { id } }) => {
      for (const said of [null, 'text', 7, {}, { id: 'other', value: false }, [id], { id: null }])
        port.postMessage(said)
      port.postMessage({
        id,
        type: 'HANDLER',
        name: 'throw',
        value: { isError: true, value: { message: 'x' } },
      })
      port.postMessage({ id, type: 'RAW', value: false })
    }
  })
  // The first answer counts; a thrown error is no answer that keeps the window.
  expect(await client.mayClose(null)).toBe(true)
})
