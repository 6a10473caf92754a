import { ARGS, trip } from './measure.ts'

/** The page of the raw legs: echoes on a port, or carries each call as one POST. */
const post = (path: string, text: string) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }).then(
    (response) => response.json(),
  )

window.addEventListener('message', ({ data, ports: [port] }) => {
  if (!port) return
  port.onmessage = async ({ data: { id, args } }) => {
    const result = data.way === 'echo' ? args : await post('/call', JSON.stringify({ id, args }))
    port.postMessage({ id, result })
  }
})

const body = JSON.stringify({ id: 'c12', args: ARGS })

Object.assign(globalThis, { bench: { fetchTrip: (count: number) => trip(() => post('/echo', body), count) } })
