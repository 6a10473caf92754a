import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { push, register } from '../../testing/apps.ts'
import { ada } from '../../testing/files.ts'
import {
  type Disk,
  historiesOf,
  hostOn,
  NEVER,
  openDisk,
  playHistory,
  sweep,
} from '../../testing/killed-hosts.ts'
import { filesOf, type TestServices, testManifest } from '../../testing/services.ts'
import { wrongBytes } from '../../testing/wrong-bytes.ts'
import { spaceOf } from '../storage/space.ts'
import { deleteFiles } from '../uploads/drop.ts'
import { keepFile } from '../uploads/keep.ts'
import { deleteAppFiles, dropAppFiles } from './drop.ts'
import { finishDrops } from './uses.ts'
import { writeAppFile } from './write.ts'

const RUNS = rounds(1_000)
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
const space = spaceOf('app', { userId: 'ada', window: { row: { app_id: 'app_notes' } } })

const write = (services: TestServices, path: string, text: string) =>
  writeAppFile(services, {
    space,
    path,
    userId: 'ada',
    mime: 'text/plain',
    isText: true,
    ifMatch: undefined,
    bytes: Buffer.from(text),
  })
const keep = (services: TestServices, text: string) =>
  keepFile(services, ada, { bytes: Buffer.from(text), mime: 'text/plain', purpose: 'test', filename: null })
const draft = (services: TestServices, app: string, ...texts: string[]) => {
  const files = Object.fromEntries(texts.map((text) => [`${text}.txt`, text]))
  return push(services, app, testManifest(), filesOf({ 'index.html': '<p>', ...files }))
}

type Act = (services: TestServices, app: string) => Promise<unknown>
const nothing: Act = async () => {}

/** What was done before, and what a host is killed in. */
const acts: readonly (readonly [what: string, before: Act, act: Act])[] = [
  ['the write of a file', nothing, (host) => write(host, 'a', 'first')],
  ['the second write of a file', (host) => write(host, 'a', 'first'), (host) => write(host, 'a', 'second')],
  [
    'the write of what another file has',
    (host) => write(host, 'b', 'first'),
    (host) => write(host, 'a', 'first'),
  ],
  [
    'the deletion of files that have the same bytes',
    async (host) => {
      for (const path of ['a', 'b']) await write(host, path, 'first')
    },
    (host) => deleteAppFiles(host, space),
  ],
  ['an upload', nothing, (host) => keep(host, 'first')],
  ['the deletion of an upload', (host) => keep(host, 'first'), (host) => deleteFiles(host, ada)],
  ['a push', nothing, (host, app) => draft(host, app, 'first', 'second')],
  [
    'a push that replaces a draft',
    (host, app) => draft(host, app, 'first', 'second'),
    (host, app) => draft(host, app, 'second', 'third'),
  ],
  [
    'a push of the draft before',
    async (host, app) => {
      await draft(host, app, 'first')
      await draft(host, app, 'second')
    },
    (host, app) => draft(host, app, 'first'),
  ],
]

/** Plays an act on a host that is killed with its call number `last`; says how many calls there were. */
async function play(disk: Disk, [, before, act]: (typeof acts)[number], last: number) {
  const { services } = hostOn(disk, 0)
  const app = await register(services)
  await before(services, app)
  const mortal = hostOn(disk, 1, last)
  await act(mortal.services, app).catch((error: Error) => expect(error.message).toBe('this host was killed'))
  return { app, calls: mortal.calls() }
}

verifies.each('files.dropped')(acts)(
  'at whatever step a host is killed in %s, no bytes are lost and none stay for ever',
  async (...story) => {
    const { calls } = await play(openDisk(), story, NEVER)
    expect(calls).toBeGreaterThan(5)
    /** What the next host is asked for first: nothing that is left holds it up. */
    const next: readonly Act[] = [nothing, story[2], (host) => write(host, 'other', 'first')]
    const all = upTo(calls).flatMap((last) => next.map((act) => [last, act] as const))
    const every = Math.ceil((3 * all.length) / rounds(3 * all.length))
    for (const [last, act] of all.filter((_, at) => at % every === 0)) {
      const disk = openDisk()
      const { app } = await play(disk, story, last)
      const { services } = hostOn({ ...disk, store: { ...disk.store, isExclusive: true } }, 2)
      await act(services, app)
      await sweep(services)
      expect([last, await wrongBytes(disk.store, disk.kept)]).toEqual([last, []])
    }
  },
)

verifies.each('files.dropped')([
  [
    'a file',
    (host: TestServices) => write(host, 'a', 'first'),
    (host: TestServices) => deleteAppFiles(host, space),
  ],
  ['an upload', (host: TestServices) => keep(host, 'first'), (host: TestServices) => deleteFiles(host, ada)],
])(
  'the bytes of %s that was deleted before they came go, though their host was killed',
  async (_, put, remove) => {
    const disk = openDisk()
    const next = hostOn(disk, 1)
    const killed = hostOn(
      {
        store: disk.store,
        blobs: {
          ...disk.blobs,
          async put(bytes) {
            await remove(next.services)
            const digest = await disk.blobs.put(bytes)
            killed.kill()
            return digest
          },
        },
      },
      2,
    )
    await expect(put(killed.services)).rejects.toThrow('this host was killed')
    expect(disk.kept.size).toBe(1)
    await sweep(next.services)
    expect([disk.kept.size, await wrongBytes(disk.store, disk.kept)]).toEqual([0, []])
  },
)

const happenings = {
  writeA: (host: TestServices) => write(host, 'a', 'first'),
  writeB: (host: TestServices) => write(host, 'b', 'first'),
  overwriteA: (host: TestServices) => write(host, 'a', 'second'),
  keep: (host: TestServices) => keep(host, 'first'),
  deleteKept: (host: TestServices) => deleteFiles(host, ada),
  deleteAll: (host: TestServices) => deleteAppFiles(host, space),
  drop: dropAppFiles,
  finish: finishDrops,
}

verifies(
  'files.dropped',
  'hosts that keep and drop the same bytes lose none and leave none, killed or not',
  async () => {
    await fc.assert(
      fc.asyncProperty(historiesOf(happenings, 64, 120), async (history) => {
        expect(await playHistory(openDisk(), happenings, history, async () => {})).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)
