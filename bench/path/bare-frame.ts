import { type Call, throughput, trip } from './measure.ts'

/** The frame of the raw legs. `echo`: the port alone. `call`: port, one POST, raw child. */
function way(name: 'echo' | 'call'): Call {
  const { port1, port2 } = new MessageChannel()
  parent.postMessage({ way: name }, '*', [port2])
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  port1.onmessage = ({ data }) => {
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  }
  return (args) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      port1.postMessage({ id: last, args })
    })
}

const echo = way('echo')
const call = way('call')
Object.assign(globalThis, {
  bench: {
    portTrip: (count: number) => trip(echo, count),
    callTrip: (count: number) => trip(call, count),
    throughput: (count: number, inFlight: number) => throughput(call, count, inFlight),
  },
})
