import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import type { Store } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { ada, openUploadBed } from '../../testing/files.ts'
import { type TestServices, testServices } from '../../testing/services.ts'
import { wholeOf } from '../app-files/pieces.ts'
import { deleteFile, deleteFiles } from './drop.ts'
import { files } from './file.ts'
import { keepFile } from './keep.ts'
import { serveFile } from './serve.ts'

const RUNS = rounds(2_000)
const TEXTS = ['first', 'other'] as const

type Bed = ReturnType<typeof openUploadBed>
interface Scene {
  /** Two hosts over one store: a lock of one does not hold in the other. */
  readonly a: Bed
  readonly b: Bed
  readonly upload: Awaited<ReturnType<Bed['start']>>
}

const whole = { bytes: Buffer.from(TEXTS[0]), mime: 'text/plain', purpose: 'test', filename: null } as const

/** What may happen to an upload, in any order and at any distance. */
const happenings = {
  putHere: ({ a, upload }: Scene) => a.put(upload, TEXTS[0]),
  putThere: ({ b, upload }: Scene) => b.put(upload, TEXTS[0]),
  putOther: ({ b, upload }: Scene) => b.put(upload, TEXTS[1]),
  confirmHere: ({ a, upload }: Scene) => a.confirm(upload.file_ref),
  confirmThere: ({ b, upload }: Scene) => b.confirm(upload.file_ref),
  sweepHere: ({ a }: Scene) => a.sweep(),
  sweepThere: ({ b }: Scene) => b.sweep(),
  lapse: ({ a }: Scene) => a.clock.advance(limits.UPLOAD_CONFIRM_MS),
  uninstall: ({ a }: Scene) => deleteFiles(a.services, ada),
  deleteHere: ({ a, upload }: Scene) => deleteFile(a.services, upload.file_ref),
  deleteThere: ({ b, upload }: Scene) => deleteFile(b.services, upload.file_ref),
  sameBytes: ({ b }: Scene) => keepFile(b.services, { ...ada, appId: 'app_other' }, whole),
  sameBytesGo: ({ b }: Scene) => deleteFiles(b.services, { ...ada, appId: 'app_other' }),
} as const
type Happening = keyof typeof happenings

const script = fc.array(
  fc.tuple(fc.constantFrom(...(Object.keys(happenings) as Happening[])), fc.nat({ max: 32 })),
  { minLength: 1, maxLength: 8 },
)

/** Turns that each write of a host waits before it is done: stores and disks take their time. */
const delays = fc.record({ use: fc.nat({ max: 24 }), put: fc.nat({ max: 24 }), remove: fc.nat({ max: 24 }) })
type Delays = typeof delays extends fc.Arbitrary<infer T> ? T : never

async function turns(count: number) {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

/** The test bed of a host whose writes wait. */
function slowBed(services: TestServices, { use, put, remove }: Delays): Bed {
  const { blobs, store } = services
  const insert: Store['insert'] = (...what) => turns(use).then(() => store.insert(...what))
  return openUploadBed({
    services: {
      ...services,
      store: { ...store, insert },
      blobs: {
        ...blobs,
        put: (bytes) => turns(put).then(() => blobs.put(bytes)),
        remove: (digest) => turns(remove).then(() => blobs.remove(digest)),
      },
    },
  })
}

async function play(
  steps: readonly (readonly [Happening, number])[],
  [here, there]: readonly [Delays, Delays],
) {
  const services = testServices()
  const scene = { a: slowBed(services, here), b: slowBed(services, there) }
  const upload = await scene.a.start(TEXTS[0].length)
  // A token that was verified before is answered at once: what follows is a matter of promises alone.
  await services.tokens.verify('upload', upload.sig)
  let puts = 0
  const under: Promise<unknown>[] = []
  for (const [name, pause] of steps) {
    const happened = Promise.resolve(happenings[name]({ ...scene, upload })).then(() => {
      if (name.startsWith('put')) puts += 1
    })
    // Who comes too late is refused; what counts is what is there in the end.
    under.push(happened.catch(() => {}))
    await turns(pause)
  }
  await Promise.all(under)
  const { status, body } = await serveFile(services, upload.file_ref)
  const text = Buffer.from((await wholeOf(body)) ?? 'gone').toString()
  const ready = (await scene.a.state(upload.file_ref)) === 'ready'
  const kept = (await services.store.scan(files, 'byOwner', { limit: 100 })).rows
  const served = kept
    .filter(({ row }) => row.state === 'ready')
    .map(async ({ id }) => (await serveFile(services, id)).status)
  const statuses = new Set(await Promise.all(served))
  // In the end all goes: nothing that anybody began is left behind.
  await deleteFiles(services, ada)
  await deleteFiles(services, { ...ada, appId: 'app_other' })
  void services.clock.advance(limits.UPLOAD_CONFIRM_MS)
  await scene.b.sweep()
  const bytes = (await Promise.all(TEXTS.map(scene.a.has))).filter(Boolean).length
  return {
    puts,
    ready,
    status,
    unreadable: statuses.has(404),
    text,
    left: { ...(await scene.a.left()), bytes },
  }
}

verifies(
  ['decision.upload.one_put', 'decision.upload.swept'],
  'whatever meets whatever, one PUT is taken at most, what is ready can be read, and nothing is left behind',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.tuple(delays, delays), async (steps, slow) => {
        const { puts, ready, status, unreadable, text, left } = await play(steps, slow)
        expect(puts).toBeLessThanOrEqual(1)
        expect([status, unreadable]).toEqual([ready ? 200 : 404, false])
        if (ready) expect(TEXTS).toContain(text)
        expect(left).toEqual({ files: 0, uses: 0, bytes: 0 })
      }),
      { numRuns: RUNS },
    )
  },
)
