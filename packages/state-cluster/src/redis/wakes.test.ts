import { expect, it } from 'vitest'
import type { Channels, Listener } from './channels.ts'
import { TOKEN_CHARS } from './scripts.ts'
import { openWakes } from './wakes.ts'

/** Wake-ups whose channels are held by the test, and who waits for one journal. */
function openHeld() {
  const held: Listener[] = []
  const channels = {
    listen(_: string, listener: Listener) {
      held.push(listener)
      return () => {}
    },
  }
  const wakes = openWakes('p', channels as unknown as Channels)
  const woken = { count: 0 }
  wakes.listen('journal', () => {
    woken.count += 1
  })
  const [listener] = held as [Listener]
  return { wakes, woken, say: (message: string) => listener.onMessage(message) }
}

it('a message of another host wakes who waits for its journal', () => {
  const { wakes, woken, say } = openHeld()
  say(`[${wakes.messageOf('t'.repeat(TOKEN_CHARS), 'other')}]`)
  expect(woken.count).toBe(0)
  say(`[${wakes.messageOf('t'.repeat(TOKEN_CHARS), 'journal')}]`)
  expect(woken.count).toBe(1)
})

it.each(['', 'nonsense', '7', 'null', '{"length":1}', '[7]', '[["journal"]]'])(
  'the message %j, which no host sends, only makes who waits look',
  (message) => {
    const { woken, say } = openHeld()
    say(message)
    expect(woken.count).toBe(1)
  },
)
