import { connect } from '@svc/sdk'
import { type Call, throughput, trip } from './measure.ts'

const svc = await connect()
const call: Call = (args) =>
  svc.tools.invoke({ tool_id: 'bench', method: 'echo', args: args as Record<string, unknown> })
const beat: Call = () => svc.window.heartbeat()
Object.assign(globalThis, {
  bench: {
    trip: (count: number) => trip(call, count),
    beatTrip: (count: number) => trip(beat, count),
    throughput: (count: number, inFlight: number) => throughput(call, count, inFlight),
    beats: (count: number, inFlight: number) => throughput(beat, count, inFlight),
  },
})
