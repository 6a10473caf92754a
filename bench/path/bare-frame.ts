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
const text = 'onmessage = ({ data: [a, b] }) => postMessage(a + b)'
/** The same of a worker whose text is at hand, and one message. */
async function startWorker(): Promise<number> {
  const from = performance.now()
  const worker = new Worker(URL.createObjectURL(new Blob([text])))
  worker.postMessage([1, 2])
  await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }))
  const took = performance.now() - from
  worker.terminate()
  return took
}
Object.assign(globalThis, {
  bench: {
    portTrip: (count: number) => trip(echo, count),
    callTrip: (count: number) => trip(call, count),
    startWorker,
    throughput: (count: number, inFlight: number) => throughput(call, count, inFlight),
  },
})
