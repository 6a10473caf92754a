import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDesk } from '../desk/desk.ts'
import { documentOf, type Size } from '../geometry/rect.ts'
import { openMemory } from '../state/memory.ts'
import { fakeHost } from '../testing/fake-bridge.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** An open window, and a host that answers when it is told to: with the event before its answer, or after it. */
async function openWindow(isEventFirst: boolean) {
  localStorage.clear()
  const host = fakeHost()
  const desk = createDesk({
    ...host,
    memory: openMemory(localStorage),
    now: () => 0,
    later: () => undefined,
    locale: 'en',
  })
  await desk.begin()
  const key = desk.open('app-1')
  desk.fill(key, document.body)
  await settled()
  const window = () => desk.store.get().windows[0]
  const { uuid, rect } = window() ?? {}
  if (uuid == null || !rect) throw new Error('no window is open')
  const answers: (() => void)[][] = []
  let kept = documentOf(rect)
  const event = (geometry: Size) => () => host.emitOn(uuid, 'geometry_changed', { geometry })
  host.holdResize = (size) =>
    new Promise((resolve) => {
      const keep = () => {
        kept = size
      }
      const parts = [event(size), keep, resolve]
      answers.push(isEventFirst ? parts : parts.reverse())
    })
  return {
    shown: () => window()?.rect.w,
    kept: () => kept.w,
    choose: (w: number) => desk.setRect(key, { ...rect, w }),
    place: () => desk.placed(key),
    /** The host gives the window another size, as its app asked. */
    give(w: number) {
      if (w === kept.w) return
      kept = { ...kept, w }
      host.emitOn(uuid, 'geometry_changed', { geometry: kept })
    },
    async answer() {
      for (const part of answers.shift() ?? []) {
        part()
        await settled()
      }
    },
    waiting: () => answers.length,
    close: () => desk.dispose(),
  }
}

const width = fc.constantFrom(300, 400, 500)
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constantFrom('choose' as const, 'give' as const), w: width }),
    fc.constantFrom({ type: 'place' as const }, { type: 'answer' as const }),
  ),
  { maxLength: 20 },
)

it('keeps the size that the user chose, whatever the host says of those before it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (isEventFirst, happens) => {
      const window = await openWindow(isEventFirst)
      let chosen: number | undefined
      let isContested = false
      for (const step of happens) {
        if (step.type === 'choose') {
          chosen = step.w
          window.choose(chosen)
        } else if (step.type === 'place') window.place()
        else if (step.type === 'answer') await window.answer()
        else {
          // The app asks for a size later than the user, or while one of the user is on its way: then the host decides.
          isContested ||= window.waiting() > 0
          chosen = undefined
          window.give(step.w)
        }
        await settled()
        if (chosen !== undefined && !isContested) expect(window.shown()).toBe(chosen)
      }
      window.place()
      await settled()
      while (window.waiting() > 0) await window.answer()
      expect(window.shown()).toBe(window.kept())
      if (chosen !== undefined && !isContested) expect(window.shown()).toBe(chosen)
      window.close()
    }),
  )
})
