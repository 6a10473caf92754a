// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import { digestOf } from '../digest.ts'
import type { Blobs } from '../port.ts'

/** Keeps bytes in this process. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>()
  let closed = false
  const open = () => {
    if (closed) throw new Error('the blobs are closed')
    return kept
  }
  return {
    async put(bytes) {
      const digest = digestOf(bytes)
      if (!open().has(digest)) kept.set(digest, Uint8Array.from(bytes))
      return digest
    },
    async get(digest) {
      return open().get(digest) ?? null
    },
    async remove(digest) {
      return open().delete(digest)
    },
    async close() {
      closed = true
      kept.clear()
    },
  }
}
