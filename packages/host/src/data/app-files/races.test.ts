import { histories } from '@svc/conformance/histories'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { digestOf } from '@svc/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refusal, type TestHouse, testHouse } from '../../testing/house.ts'
import { spaceOf } from '../storage/scope.ts'
import { appFiles } from './app-file-row.ts'
import { dropAppFiles, letAppFilesGo } from './leave.ts'
import { readAppFile } from './read.ts'
import { fileUses } from './uses.ts'
import { writeAppFile } from './write.ts'

const RUNS = histories(1_000)
const TURNS = 32
const PATH = 'a/b'
const TEXTS = ['first', 'second', 'third'] as const
const space = spaceOf('app', { userId: 'ada', window: { row: { app_id: 'app_notes' } } })

const write = (house: TestHouse, text: string, ifMatch?: string) =>
  writeAppFile(house, {
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
  first: (house: TestHouse) => write(house, TEXTS[0]),
  second: (house: TestHouse) => write(house, TEXTS[1]),
  over: (house: TestHouse) => write(house, TEXTS[2], '*'),
  uninstall: (house: TestHouse) => letAppFilesGo(house, space),
  sweep: (house: TestHouse) => dropAppFiles(house),
  lapse: (house: TestHouse) => house.clock.advance(limits.APP_FILE_WRITE_MS),
} as const
const names = Object.keys(happenings) as (keyof typeof happenings)[]
const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: TURNS })), {
  minLength: 1,
  maxLength: 8,
})

async function wait(turns: number) {
  for (let turn = 0; turn < turns; turn += 1) await null
}

/** A house whose disk takes its time. */
function slowHouse(put: number, remove: number): TestHouse {
  const house = testHouse()
  const { blobs } = house
  return Object.assign(house, {
    blobs: {
      ...blobs,
      put: (bytes: Uint8Array) => wait(put).then(() => blobs.put(bytes)),
      remove: (digest: string) => wait(remove).then(() => blobs.remove(digest)),
    },
  })
}

/** Records, uses of bytes, and what can be read. */
async function left(house: TestHouse) {
  const records = await house.store.scan(appFiles, 'bySpace', { limit: 100 })
  const uses = await house.store.scan(fileUses, 'byFile', { limit: 100 })
  const live = records.rows.filter(({ row }) => row.live !== null).length
  return { records: records.rows.length, live, uses: uses.rows.length }
}

verifies(
  'files.dropped',
  'whatever meets, a file that is there has its bytes and nothing else is kept',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.nat({ max: TURNS }), fc.nat({ max: TURNS }), async (steps, put, remove) => {
        const house = slowHouse(put, remove)
        const done: Promise<unknown>[] = []
        for (const [name, turns] of steps) {
          done.push(
            happenings[name](house).catch((error: { code?: string }) => expect(error.code).toBeTruthy()),
          )
          await wait(turns)
        }
        await Promise.all(done)
        await house.clock.advance(limits.APP_FILE_WRITE_MS)
        await dropAppFiles(house)
        const { live, uses } = await left(house)
        expect(uses).toBe(live)
        const kept = await Promise.all(TEXTS.map((text) => house.blobs.get(digestOf(Buffer.from(text)))))
        expect(kept.filter(Boolean)).toHaveLength(live)
        if (live > 0) await readAppFile(house, space, PATH)
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
  const house = testHouse()
  await write(house, 'first')
  const { put } = house.blobs
  house.blobs.put = () => Promise.reject(new Error('the disk is full'))
  await expect(write(house, 'second')).rejects.toThrow('the disk is full')
  house.blobs.put = put
  expect((await readAppFile(house, space, PATH)).bytes.toString()).toBe('first')
  expect(await left(house)).toEqual({ records: 1, live: 1, uses: 1 })
})

it('a write that broke off is taken up by the sweep, not before its time', async () => {
  const house = testHouse()
  house.blobs.put = () => new Promise(() => {})
  void write(house, 'first')
  await house.clock.advance(limits.APP_FILE_WRITE_MS - 1)
  await dropAppFiles(house)
  expect(await left(house)).toEqual({ records: 1, live: 0, uses: 1 })
  await house.clock.advance(1)
  await dropAppFiles(house)
  expect(await left(house)).toEqual({ records: 1, live: 0, uses: 0 })
})

it('a file whose app goes while it is written is not found, and leaves nothing', async () => {
  const house = testHouse()
  const { put } = house.blobs
  house.blobs.put = async (bytes) => {
    await letAppFilesGo(house, space)
    await dropAppFiles(house)
    return put(bytes)
  }
  expect(await refusal(write(house, 'first'))).toBe('not_found: the file "a/b" went while it was written')
  await dropAppFiles(house)
  expect(await left(house)).toEqual({ records: 0, live: 0, uses: 0 })
})
