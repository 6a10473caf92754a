import { describe, expect, it } from 'vitest'
import type { Hold } from './hold.ts'

/** Messages reach those who listen, in order, and nobody else. */
export function topicRules(hold: Hold): void {
  describe('topics', () => {
    /** Subscribes, and resolves `all` once `count` messages came. */
    const listen = async (topic: string, count: number) => {
      const heard: string[] = []
      let enough = () => {}
      const all = new Promise<void>((resolve) => {
        enough = resolve
      })
      const stop = await hold.bus.subscribe(topic, (message) => {
        heard.push(message)
        if (heard.length === count) enough()
      })
      return { heard, all, stop }
    }

    it('carry messages to every listener in order', async () => {
      const [a, b] = [await listen('t', 100), await listen('t', 100)]
      const sent = Array.from({ length: 100 }, (_, n) => `${n}`)
      for (const message of sent) await hold.bus.publish('t', message)
      await Promise.all([a.all, b.all])
      expect(a.heard).toEqual(sent)
      expect(b.heard).toEqual(sent)
    })

    it('carry text untouched, and to their own listeners only', async () => {
      const [here, there] = [await listen('t', 2), await listen('t2', 1)]
      const odd = '{"s":"\\ud800 \\u0000 é \u{1f600}\\n"}'
      await hold.bus.publish('t', odd)
      await hold.bus.publish('t2', 'other')
      await hold.bus.publish('t', 'last')
      await Promise.all([here.all, there.all])
      expect(here.heard).toEqual([odd, 'last'])
      expect(there.heard).toEqual(['other'])
    })

    it('never call a listener inside publish', async () => {
      const { heard, all } = await listen('t', 1)
      const published = hold.bus.publish('t', 'm')
      expect(heard).toEqual([])
      await Promise.all([published, all])
    })

    it('keep one function that listens twice twice', async () => {
      const heard: string[] = []
      const fn = (message: string) => void heard.push(message)
      const stop = await hold.bus.subscribe('t', fn)
      await hold.bus.subscribe('t', fn)
      stop()
      const last = await listen('t', 1)
      await hold.bus.publish('t', 'm')
      await last.all
      expect(heard).toEqual(['m'])
    })

    it('go quiet at once when a listener stops, even for what is under way', async () => {
      const stopped = await listen('t', 1)
      const published = hold.bus.publish('t', 'm')
      stopped.stop()
      stopped.stop()
      const witness = await listen('t', 1)
      await published
      await hold.bus.publish('t', 'n')
      await witness.all
      expect(stopped.heard).toEqual([])
    })

    it('go quiet at once when the bus closes', async () => {
      const { heard } = await listen('t', 1)
      const published = hold.bus.publish('t', 'm')
      await hold.bus.close()
      await published.catch(() => {})
      await hold.clock.advance(0)
      expect(heard).toEqual([])
    })
  })
}
