import { createHash } from 'node:crypto'
import type { Call, Notes } from '@svc/conformance/testing/notes'
import type { Blobs } from '@svc/state'

const LARGEST = 300_000
const KEPT = 20

type BlobAct =
  | { readonly verb: 'put'; readonly digest: string }
  | { readonly verb: 'remove'; readonly digest: string }

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Puts blobs of all sizes, and removes some of them. */
export async function loadBlobs(blobs: Blobs, notes: Notes, random: () => number): Promise<void> {
  const kept: string[] = []
  const call = <Given>(act: BlobAct, run: () => Promise<Given>) => notes.call('blobs', act, run)
  for (let n = 0; ; n++) {
    const bytes = Buffer.alloc(1 + Math.floor(random() ** 3 * LARGEST), `${n} ${process.pid} ${random()} `)
    const digest = await call({ verb: 'put', digest: digestOf(bytes) }, () => blobs.put(bytes))
    kept.push(digest)
    if (kept.length < KEPT) continue
    const [oldest] = kept.splice(0, 1) as [string]
    await call({ verb: 'remove', digest: oldest }, () => blobs.remove(oldest))
  }
}

/** What must be true of blobs: what was put is there whole, what was removed is gone. */
export function openBlobChecks() {
  const states = new Map<string, 'there' | 'gone' | 'unknown'>()
  return {
    killed(calls: readonly Call[]): void {
      for (const { what, result } of calls) {
        const { verb, digest } = what as BlobAct
        const state = verb === 'put' ? 'there' : 'gone'
        states.set(digest, result === undefined ? 'unknown' : state)
      }
    },
    async check(blobs: Blobs): Promise<void> {
      for (const [digest, state] of states) {
        const bytes = await blobs.get(digest)
        if (bytes && digestOf(bytes) !== digest) throw new Error(`blob ${digest} has other bytes`)
        const found = bytes ? 'there' : 'gone'
        if (state !== 'unknown' && state !== found)
          throw new Error(`blob ${digest} should be ${state} and is ${found}`)
        states.set(digest, found)
      }
    },
  }
}
