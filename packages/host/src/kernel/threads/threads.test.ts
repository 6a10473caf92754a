import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openThread, openThreads, THREAD_NICE } from './threads.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const work = (script: string) => ({ script, given: null, transfer: [] })
const users = fc.constantFrom('eve', 'eve', 'eve', 'ada', 'bob', 'cem')

verifies('load.fair', 'long work of a user waits for one piece of each other user', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(users, { minLength: 1, maxLength: 30 }), async (line) => {
      const begun: string[] = []
      const ends: (() => void)[] = []
      const threads = openThreads({
        run({ script }) {
          begun.push(script)
          return new Promise((resolve) => ends.push(() => resolve(script)))
        },
        close: async () => {},
      })
      const done = line.map((userId) => threads.run(userId, work(userId)))
      // One piece at a time, and the first of a user comes behind one of each who came before him.
      for (let n = 1; n <= line.length; n += 1) {
        expect(begun).toHaveLength(n)
        ends.shift()?.()
        await settled()
      }
      expect(await Promise.all(done)).toEqual(line)
      const [, ...waited] = line
      const inOrder = [...new Set(waited)]
      for (const [at, userId] of inOrder.entries())
        expect(begun.slice(1).indexOf(userId)).toBeLessThanOrEqual(at)
      await threads.close()
    }),
  )
})

it('a failure is that of its own work, and a close ends what is under way and what waits', async () => {
  const threads = openThreads()
  const post = (text: string) => work(`() => ({ found: ${text}, transfer: [] })`)
  await expect(threads.run('ada', work('() => { throw new Error("broken") }'))).rejects.toThrow('broken')
  await expect(threads.run('ada', work('() => process.exit(0)'))).rejects.toThrow('ended with 0')
  expect(await threads.run('ada', post('7'))).toBe(7)
  const outcomes = Promise.allSettled(
    ['ada', 'ada', 'bob'].map((user) => threads.run(user, work('() => { for (;;); }'))),
  )
  await threads.close()
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  await expect(threads.run('ada', post('7'))).rejects.toThrow('closed')
})

verifies('load.pace.thread', 'a thread gets less of a busy machine than the event loop', async () => {
  const threads = openThreads()
  const priority = `() => {
    const { existsSync, readlinkSync } = require('node:fs')
    const own = '/proc/thread-self'
    const id = existsSync(own) ? Number(readlinkSync(own).split('/').at(-1)) : 0
    return { found: require('node:os').getPriority(id), transfer: [] }
  }`
  const own = getPriority()
  expect(await threads.run('ada', work(priority))).toBe(existsSync('/proc/thread-self') ? THREAD_NICE : 0)
  expect(getPriority()).toBe(own)
  await threads.close()
})

verifies('load.fair', 'a piece that never ends is given up, and the next one is done', async () => {
  const clock = frozenClock()
  const threads = openThreads(openThread(clock))
  const endless = threads.run('eve', work('() => { for (;;); }'))
  const next = threads.run('ada', work('() => ({ found: 7, transfer: [] })'))
  const told = expect(endless).rejects.toThrow('was not done after 60000 ms')
  await clock.advance(60_000)
  await told
  expect(await next).toBe(7)
  await threads.close()
  expect(clock.timers).toBe(0)
})
