// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import { copyInTurns, digestInTurns } from '../digest.ts'
import type { Blobs } from '../port.ts'

/** Keeps bytes in this process: in `kept`, by their digests. */
export function memoryBlobs(kept: Map<string, Uint8Array> = new Map()): Blobs {
  let closed = false
  const open = () => {
    if (closed) throw new Error('the blobs are closed')
    return kept
  }
  return {
    async put(bytes) {
      open()
      // The copy first: its writer continues to use its buffer.
      const copy = await copyInTurns(bytes)
      const digest = await digestInTurns(copy)
      if (!open().has(digest)) kept.set(digest, copy)
      return digest
    },
    async get(digest) {
      return open().get(digest) ?? null
    },
    async slice(digest, from, to) {
      // A view: a reader that never ends holds none of its own.
      return open().get(digest)?.subarray(from, to) ?? null
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
