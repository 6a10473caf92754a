// Writes the fixture of the newest format: `node packages/state-sqlite/src/testing/make-fixture.ts packages/state-sqlite/fixtures/format-N`.
// A fixture that is there is never written again: it is what a version of that time left.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { frozenClock } from '@svc/node/testing'
import { openFolder } from '../index.ts'
import { fixtureItems, fixtureNotes, fixtureText, notes } from './fixture.ts'

const [dir = ''] = process.argv.slice(2)
if (existsSync(dir)) throw new Error(`${dir} is there already; give the folder of a new format`)
const { store, bus, blobs, close } = await openFolder(dir, { clock: frozenClock() })
for (const { id, row } of fixtureNotes) await store.insert(notes, id, row)
const gone = await store.insert(notes, 'removed', { owner: 'ann', text: 'gone', size: 1 })
if (gone.ok) await store.remove(notes, 'removed', gone.record.revision)
await bus.journal.append('journal', 1, ['"trimmed"', ...fixtureItems])
await bus.journal.trim('journal', { keep: fixtureItems.length })
await bus.journal.append('dropped', 1, ['"dropped"'])
await bus.journal.drop('dropped')
await blobs.put(Buffer.from(fixtureText))
await close()
for (const name of ['lock.db', 'lock.pid']) rmSync(path.join(dir, name))
