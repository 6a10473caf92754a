// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import type { Clock } from '@svc/node'
import { EventEmitter } from 'eventemitter3'
import { BusError } from '../bus-error.ts'
import type { Answerer, Bus } from '../port.ts'
import { makeWaits } from '../waits.ts'
import { type Journal, memoryJournals } from './memory-journals.ts'

/** What the memory bus is made of. */
export interface MemoryBusOptions {
  /** The clock of the bus. */
  clock: Clock
  /** Hears what a subscriber threw; without it the process warns. */
  onError?: (error: unknown) => void
}

/** A bus within this process. */
export const memoryBus = (options: MemoryBusOptions): Bus => busOver(new Map(), options)

/** The same over journals that are there already, by their names. */
export function busOver(journals: Map<string, Journal>, { clock, onError = warn }: MemoryBusOptions): Bus {
  const topics = new EventEmitter<Record<string, (message: string) => void>>()
  const answerers = new Map<string, Answerer>()
  const waits = makeWaits(clock)
  const closing = new AbortController()
  const alive = () => {
    if (closing.signal.aborted) throw new BusError('closed', 'the bus is closed')
  }
  const addressOf = (hostId: string, kind: string) => `${hostId}\n${kind}`

  return {
    epoch: clock.now().toString(36),
    journal: memoryJournals({ clock, alive, closing: closing.signal, journals }),
    async publish(topic, message) {
      alive()
      for (const deliver of topics.listeners(topic)) queueMicrotask(() => deliver(message))
    },
    async subscribe(topic, fn) {
      alive()
      let listens = true
      const deliver = (message: string) => {
        try {
          if (listens && !closing.signal.aborted) fn(message)
        } catch (error) {
          onError(error)
        }
      }
      topics.on(topic, deliver)
      return () => {
        listens = false
        topics.off(topic, deliver)
      }
    },
    async ask(hostId, kind, body, options) {
      alive()
      const answerer = answerers.get(addressOf(hostId, kind))
      if (!answerer) throw new BusError('no_host', `no host ${hostId} answers ${kind}`)
      const what = `${kind} to ${hostId}`
      return waits.wait(what, options, async (signal) => {
        try {
          return await answerer(body, { deadline: options.deadline, signal })
        } catch (cause) {
          throw new BusError('failed', `${what} failed`, { cause })
        }
      })
    },
    async answer(hostId, kind, handler) {
      alive()
      const address = addressOf(hostId, kind)
      if (answerers.has(address)) throw new TypeError(`host ${hostId} answers ${kind} already`)
      answerers.set(address, handler)
      return () => {
        if (answerers.get(address) === handler) answerers.delete(address)
      }
    },
    async close() {
      closing.abort()
      waits.close()
      topics.removeAllListeners()
      answerers.clear()
    },
  }
}

const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error))
