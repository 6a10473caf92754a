import type { HostContext, PageCalls } from '@svc/contract/wire'
import { type Remote, wrap } from 'comlink'
import { expect, it, onTestFinished } from 'vitest'
import { createPageCallHandlers } from './page-calls.ts'

const context: HostContext = { theme: 'dark', locale: 'de', focused: true }

/** A document's handlers, and what comlink, whose format the port has, makes of its other end. */
function opened() {
  const heard: HostContext[] = []
  const handlers = createPageCallHandlers((news) => heard.push(news))
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  handlers.offer(port1)
  const page = wrap(port2) as Remote<PageCalls & Record<'' | 'other', (argument: unknown) => unknown>>
  return { handlers, heard, page }
}

it('takes the context of the page', async () => {
  const { handlers, heard, page } = opened()
  expect(handlers.context).toBeUndefined()
  await page.contextChanged(context)
  expect([handlers.context, heard]).toEqual([context, [context]])
})

const fails = () => {
  throw new Error('broken')
}
it.each<[string, (() => unknown)[], unknown]>([
  ['yes without handlers', [], true],
  ['yes where all agree', [() => true, () => undefined], true],
  ['no where one says false', [() => true, () => false], false],
  ['no where one promises false', [async () => false], false],
  ['nothing where one throws', [fails], undefined],
  ['nothing where one rejects', [async () => fails()], undefined],
])('answers before the window closes: %s', async (_, asked, answer) => {
  const { handlers, page } = opened()
  for (const handler of asked) handlers.onBeforeClose(handler)
  expect(await page.beforeClose('why')).toBe(answer)
})

it('asks with the reason, and not whom was removed', async () => {
  const { handlers, page } = opened()
  const reasons: unknown[] = []
  handlers.onBeforeClose((reason) => reasons.push(reason))
  handlers.onBeforeClose(() => false)()
  expect(await page.beforeClose('why')).toBe(true)
  expect(reasons).toEqual(['why'])
})

it.each(['', 'other'] as const)('answers a call that it does not have: "%s"', async (name) => {
  expect(await opened().page[name](0)).toBeUndefined()
})
