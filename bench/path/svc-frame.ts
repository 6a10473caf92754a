import { connect } from '@svc/sdk'
import { releaseProxy, wrapWorker } from '@svc/sdk/worker'
import { type Call, throughput, trip } from './measure.ts'
import type { api } from './svc-worker.ts'

const svc = await connect()
const call: Call = (args) =>
  svc.tools.invoke({ tool_id: 'bench', method: 'echo', args: args as Record<string, unknown> })
const beat: Call = () => svc.window.heartbeat()
/** From the start of a worker to the answer of its first call, in ms; `beat`: a call of its to the host. */
async function startWorker(first: 'add' | 'beat'): Promise<number> {
  const from = performance.now()
  const worker = wrapWorker<typeof api>(new Worker(new URL('worker.js', import.meta.url), { type: 'module' }))
  await (first === 'add' ? worker.add(1, 2) : worker.beat())
  const took = performance.now() - from
  worker[releaseProxy]()
  return took
}
Object.assign(globalThis, {
  bench: {
    trip: (count: number) => trip(call, count),
    beatTrip: (count: number) => trip(beat, count),
    throughput: (count: number, inFlight: number) => throughput(call, count, inFlight),
    startWorker,
    beats: (count: number, inFlight: number) => throughput(beat, count, inFlight),
  },
})
