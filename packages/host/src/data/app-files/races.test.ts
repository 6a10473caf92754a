import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { digestOf } from '@svc/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refusal, type TestServices, testServices } from '../../testing/services.ts'
import { spaceOf } from '../storage/space.ts'
import { appFiles, readAppFile } from './app-file.ts'
import { deleteAppFiles, dropAppFiles } from './drop.ts'
import { fileUses } from './uses.ts'
import { writeAppFile } from './write.ts'

const RUNS = rounds(1_000)
const TURNS = 32
const PATH = 'a/b'
const TEXTS = ['first', 'second', 'third'] as const
const space = spaceOf('app', { userId: 'ada', window: { row: { app_id: 'app_notes' } } })

const write = (services: TestServices, text: string, ifMatch?: string) =>
  writeAppFile(services, {
    space,
    path: PATH,
    userId: 'ada',
    mime: 'text/plain',
    isText: true,
    ifMatch,
    bytes: Buffer.from(text),
  })

/** What may happen to a file, in any order and at any distance. */
const happenings = {
  first: (services: TestServices) => write(services, TEXTS[0]),
  second: (services: TestServices) => write(services, TEXTS[1]),
  over: (services: TestServices) => write(services, TEXTS[2], '*'),
  uninstall: (services: TestServices) => deleteAppFiles(services, space),
  sweep: (services: TestServices) => dropAppFiles(services),
  lapse: (services: TestServices) => services.clock.advance(limits.APP_FILE_WRITE_MS),
} as const
const names = Object.keys(happenings) as (keyof typeof happenings)[]
const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: TURNS })), {
  minLength: 1,
  maxLength: 8,
})

async function wait(turns: number) {
  for (let turn = 0; turn < turns; turn += 1) await null
}

/** A host whose disk takes its time. */
function slowServices(put: number, remove: number): TestServices {
  const services = testServices()
  const { blobs } = services
  return Object.assign(services, {
    blobs: {
      ...blobs,
      put: (bytes: Uint8Array) => wait(put).then(() => blobs.put(bytes)),
      remove: (digest: string) => wait(remove).then(() => blobs.remove(digest)),
    },
  })
}

/** Records, uses of bytes, and what can be read. */
async function left(services: TestServices) {
  const records = await services.store.scan(appFiles, 'bySpace', { limit: 100 })
  const uses = await services.store.scan(fileUses, 'byFile', { limit: 100 })
  const live = records.rows.filter(({ row }) => row.live !== null).length
  return { records: records.rows.length, live, uses: uses.rows.length }
}

verifies(
  'files.dropped',
  'whatever meets, a file that is there has its bytes and nothing else is kept',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.nat({ max: TURNS }), fc.nat({ max: TURNS }), async (steps, put, remove) => {
        const services = slowServices(put, remove)
        const done: Promise<unknown>[] = []
        for (const [name, turns] of steps) {
          done.push(
            happenings[name](services).catch((error: { code?: string }) => expect(error.code).toBeTruthy()),
          )
          await wait(turns)
        }
        await Promise.all(done)
        await services.clock.advance(limits.APP_FILE_WRITE_MS)
        await dropAppFiles(services)
        const { live, uses } = await left(services)
        expect(uses).toBe(live)
        const kept = await Promise.all(TEXTS.map((text) => services.blobs.get(digestOf(Buffer.from(text)))))
        expect(kept.filter(Boolean)).toHaveLength(live)
        if (live > 0) await readAppFile(services, space, PATH)
      }),
      {
        numRuns: RUNS,
        examples: [
          // A sweep lets a slow write go before its bytes are there.
          [
            [
              ['first', 21],
              ['lapse', 0],
              ['sweep', 13],
              ['uninstall', 0],
            ],
            26,
            0,
          ],
        ],
      },
    )
  },
)

verifies('files.dropped', 'a write whose bytes cannot be kept leaves the file as it was', async () => {
  const services = testServices()
  await write(services, 'first')
  const { put } = services.blobs
  services.blobs.put = () => Promise.reject(new Error('the disk is full'))
  await expect(write(services, 'second')).rejects.toThrow('the disk is full')
  services.blobs.put = put
  expect((await readAppFile(services, space, PATH)).bytes.toString()).toBe('first')
  expect(await left(services)).toEqual({ records: 1, live: 1, uses: 1 })
})

it('a write that broke off is taken up by the sweep, not before its time', async () => {
  const services = testServices()
  services.blobs.put = () => new Promise(() => {})
  void write(services, 'first')
  await services.clock.advance(limits.APP_FILE_WRITE_MS - 1)
  await dropAppFiles(services)
  expect(await left(services)).toEqual({ records: 1, live: 0, uses: 1 })
  await services.clock.advance(1)
  await dropAppFiles(services)
  expect(await left(services)).toEqual({ records: 0, live: 0, uses: 0 })
})

it('a file whose app goes while it is written is not found, and leaves nothing', async () => {
  const services = testServices()
  const { put } = services.blobs
  services.blobs.put = async (bytes) => {
    await deleteAppFiles(services, space)
    await dropAppFiles(services)
    return put(bytes)
  }
  expect(await refusal(write(services, 'first'))).toBe(
    'not_found: the file "a/b" was deleted while it was being written',
  )
  await dropAppFiles(services)
  expect(await left(services)).toEqual({ records: 0, live: 0, uses: 0 })
})
