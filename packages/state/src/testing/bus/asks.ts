import { describe, expect, it } from 'vitest'
import type { Hold } from './hold.ts'

/** A question is answered, or fails with the reason, and never hangs. */
export function askRules(hold: Hold): void {
  describe('questions', () => {
    const ask = (body = '"q"', signal?: AbortSignal, waitMs = 1000) =>
      hold.bus.ask('host1', 'echo', body, {
        deadline: hold.clock.now() + waitMs,
        ...(signal ? { signal } : {}),
      })
    /** An answerer that never answers; `asked` resolves when a question is with it. */
    const silence = async () => {
      let hear = (_signal: AbortSignal) => {}
      const asked = new Promise<AbortSignal>((resolve) => {
        hear = resolve
      })
      await hold.bus.answer('host1', 'echo', (_body, { signal }) => {
        hear(signal)
        return new Promise(() => {})
      })
      return asked
    }

    it('are answered', async () => {
      const deadline = hold.clock.now() + 1000
      await hold.bus.answer('host1', 'echo', async (body, context) => `[${body},${context.deadline}]`)
      expect(await ask('"\\ud800 é"')).toBe(`["\\ud800 é",${deadline}]`)
    })

    it('of many askers at once each get their own answer', async () => {
      await hold.bus.answer('host1', 'echo', async (body) => body)
      const bodies = Array.from({ length: 50 }, (_, n) => `${n}`)
      expect(await Promise.all(bodies.map((body) => ask(body)))).toEqual(bodies)
    })

    it.each([
      ['nobody answers at all', async () => {}],
      ['another host answers', () => hold.bus.answer('host2', 'echo', async () => '')],
      ['the host sent another kind', () => hold.bus.answer('host1', 'other', async () => '')],
      ['the answerer has stopped', async () => (await hold.bus.answer('host1', 'echo', async () => ''))()],
    ])('fail at once with no_host when %s', async (_, prepare) => {
      await prepare()
      await expect(ask()).rejects.toMatchObject({ name: 'BusError', code: 'no_host' })
    })

    it('have one answerer at a time', async () => {
      const stop = await hold.bus.answer('host1', 'echo', async () => '1')
      await expect(hold.bus.answer('host1', 'echo', async () => '2')).rejects.toThrow('answers echo already')
      stop()
      await hold.bus.answer('host1', 'echo', async () => '3')
      stop()
      expect(await ask()).toBe('3')
    })

    it('fail at their deadline, not before, and tell the answerer', async () => {
      const asked = silence()
      await hold.clock.advance(0)
      const answer = ask()
      const failure = answer.catch((error: unknown) => error)
      const signal = await asked
      await hold.clock.advance(999)
      expect(signal.aborted).toBe(false)
      await hold.clock.advance(1)
      expect(await failure).toMatchObject({ code: 'deadline' })
      expect(signal.aborted).toBe(true)
    })

    it.each([0, -5])('fail when the deadline was %d ms from now', async (waitMs) => {
      await hold.bus.answer('host1', 'echo', async () => '')
      await expect(ask('1', undefined, waitMs)).rejects.toMatchObject({ code: 'deadline' })
    })

    it('fail when their signal aborts, and tell the answerer', async () => {
      const asked = silence()
      await hold.clock.advance(0)
      const stop = new AbortController()
      const failure = ask('1', stop.signal).catch((error: unknown) => error)
      const signal = await asked
      stop.abort('enough')
      expect(await failure).toMatchObject({ code: 'aborted', cause: 'enough' })
      expect(signal.aborted).toBe(true)
      expect(hold.clock.timers).toBe(0)
    })

    it('fail when their signal had aborted', async () => {
      await hold.bus.answer('host1', 'echo', async () => '')
      await expect(ask('1', AbortSignal.abort('before'))).rejects.toMatchObject({
        code: 'aborted',
        cause: 'before',
      })
    })

    it.each([
      ['throws', () => Promise.reject(new Error('broken'))],
      [
        'throws before it promises',
        () => {
          throw new Error('broken')
        },
      ],
      [
        'itself asks a host that is gone',
        () => hold.bus.ask('gone', 'echo', '1', { deadline: Number.MAX_SAFE_INTEGER }),
      ],
    ])('fail as failed when the answerer %s', async (_, answerer) => {
      await hold.bus.answer('host1', 'echo', answerer)
      await expect(ask()).rejects.toMatchObject({ code: 'failed' })
    })

    it('that wait when the bus closes fail as closed, and tell the answerer', async () => {
      const asked = silence()
      await hold.clock.advance(0)
      const failure = ask().catch((error: unknown) => error)
      const signal = await asked
      await hold.bus.close()
      expect(await failure).toMatchObject({ code: 'closed' })
      expect(signal.aborted).toBe(true)
    })

    it('that are answered leave no timer, and their answerer is not told to stop', async () => {
      let signal: AbortSignal | undefined
      await hold.bus.answer('host1', 'echo', async (body, context) => {
        signal = context.signal
        return body
      })
      await ask()
      await hold.clock.advance(5000)
      expect(signal?.aborted).toBe(false)
      expect(hold.clock.timers).toBe(0)
    })
  })
}
