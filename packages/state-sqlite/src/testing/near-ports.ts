import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { type Clock, systemClock } from '@svc/node'
import { blobFolders } from '../folder/blob-files.ts'
import { blobErrorOf, errorOf } from '../folder/failures.ts'
import type { Thread } from '../folder/thread.ts'
import { fileBlobs } from '../ports/blobs.ts'
import { sqliteBus } from '../ports/bus.ts'
import { sqliteStore } from '../ports/store.ts'
import { openRole } from '../threads/roles.ts'
import { type Sent, serveVerbs } from '../threads/serve.ts'

type RoleName = 'records' | 'journals'

/** What a thread of a folder does, in batches as there, and in this thread: none has to be started. */
function nearThread(dir: string, role: RoleName): Thread {
  const { port1: near, port2: far } = new MessageChannel()
  const waiting = new Map<number, { resolve(outcome: never): void; reject(error: Error): void }>()
  const ended = Promise.withResolvers<void>()
  let last = 0
  near.on('message', (sent: Sent) => {
    if ('failed' in sent) throw errorOf(dir, role, sent.failed)
    if (!('replies' in sent)) return
    for (const [number, outcome, failure] of sent.replies) {
      if (failure) waiting.get(number)?.reject(errorOf(dir, role, failure))
      else waiting.get(number)?.resolve(outcome as never)
      waiting.delete(number)
    }
  })
  near.on('close', () => ended.resolve())
  const durability = { records: 'process', journals: 'process' } as const
  serveVerbs(far, () => openRole({ dir, role, durability, hasReader: true, boot: null }))
  return {
    call(verb, ...args) {
      last += 1
      near.postMessage([[last, verb, args]])
      return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }))
    },
    close() {
      near.postMessage('close')
      return ended.promise
    },
    ended: ended.promise,
  }
}

/** The ports of a folder as `openFolder` makes them, but without a thread, a lock and an upkeep. */
export async function openNearPorts(dir: string, clock: Clock = systemClock) {
  for (const name of blobFolders) mkdirSync(path.join(dir, 'blobs', name), { recursive: true })
  const records = nearThread(dir, 'records')
  const journals = nearThread(dir, 'journals')
  const epoch = await journals.call<string>('epoch', 'fresh')
  return {
    store: sqliteStore({ writer: records, reader: journals, onClose: () => close() }),
    bus: sqliteBus({ thread: journals, clock, epoch, onClose: () => close() }),
    blobs: fileBlobs({
      dir: path.join(dir, 'blobs'),
      clock: systemClock,
      makeError: (error) => blobErrorOf(dir, error),
    }),
  }
  async function close() {
    await journals.close()
    await records.close()
  }
}
