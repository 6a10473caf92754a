import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

/** The same port, which notes the steps on kinds and journals of jobs. */
function noted<Port extends object>(port: Port, steps: string[]): Port {
  const nameOf = (asked: unknown) => (typeof asked === 'string' ? asked : (asked as { name: string }).name)
  return new Proxy(port, {
    get(under, step, self) {
      const work = Reflect.get(under, step, self)
      if (typeof work !== 'function') return work
      return (...args: unknown[]) => {
        if (nameOf(args[0]).startsWith('job')) steps.push(String(step))
        return work.apply(under, args)
      }
    },
  })
}

it('a job that nothing disturbs takes three writes of its row and one sign of life, and no reading', async () => {
  const clock = frozenClock()
  const steps: string[] = []
  const store = noted(memoryStore(), steps)
  const under = memoryBus({ clock })
  const bus = { ...under, journal: noted(under.journal, steps) }
  const bed = openJobBed({ clock, store, bus })
  const id = await bed.start()
  await settled()
  bed.runner.of(id).end(answered({}))
  await settled()
  expect(steps).toEqual(['insert', 'swap', 'append', 'swap'])
  expect((await bed.row(id)).state).toBe('succeeded')
  await bed.close()
})
