import { client } from '@svc/sdk/core'
import { wrap } from 'comlink'
import { connect, PortMessenger } from 'penpal'
import type { Echo, Ways } from './echo.ts'

/** A port whose other end the page has. */
function portTo(way: string): MessagePort {
  const { port1, port2 } = new MessageChannel()
  parent.postMessage({ way }, '*', [port2])
  return port1
}

/** The raw limit: an object with an id, and a map of who waits. */
function raw(way: string): Echo {
  const port = portTo(way)
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  port.onmessage = ({ data }) => {
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  }
  return (args) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      port.postMessage({ id: last, ns: 'bench', method: 'echo', args })
    })
}

type Remote = { call(ns: string, method: string, args: unknown): Promise<unknown> }

async function ways(): Promise<Ways> {
  const comlink = wrap<Remote>(portTo('comlink'))
  const penpal = await connect<Remote>({ messenger: new PortMessenger({ port: portTo('penpal') }) }).promise
  // The table has no method that only echoes; the stub in the page answers any.
  const svc = client.window.hello as (args: unknown) => Promise<unknown>
  return {
    raw: raw('raw'),
    'raw twin': raw('raw twin'),
    svc: (args) => svc(args),
    comlink: (args) => comlink.call('bench', 'echo', args) as Promise<unknown>,
    penpal: (args) => penpal.call('bench', 'echo', args),
  }
}

const small = { key: 'notes/2024-05-17', value: { text: 'x'.repeat(120), done: false, order: 12 } }
const large = {
  rows: Array.from({ length: 640 }, (_, at) => ({
    id: at,
    name: `row ${at}`,
    value: at * 1.5,
    text: 'x'.repeat(48),
  })),
}
const payloads: Readonly<Record<string, unknown>> = { small, large }

const ready = ways()

/** The browser's clock ticks every 5 µs: a figure is taken over ten calls. */
const TOGETHER = 10

/** The median round trip of `count` calls one after another, in µs. */
async function roundTrip(way: string, payload: string, count: number): Promise<number> {
  const call = (await ready)[way] as Echo
  const times: number[] = []
  for (let at = 0; at < count / TOGETHER; at++) {
    const start = performance.now()
    for (let one = 0; one < TOGETHER; one++) await call(payloads[payload])
    times.push((performance.now() - start) / TOGETHER)
  }
  return (times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN) * 1_000
}

/** Calls a second with `inFlight` of them under way. */
async function throughput(way: string, payload: string, count: number, inFlight: number): Promise<number> {
  const call = (await ready)[way] as Echo
  let left = count
  const lane = async () => {
    while (left-- > 0) await call(payloads[payload])
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, lane))
  return count / ((performance.now() - start) / 1_000)
}

Object.assign(globalThis, { bench: { roundTrip, throughput, ready: () => ready.then(() => true) } })
