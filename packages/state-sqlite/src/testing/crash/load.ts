// A process that is killed: opens a folder and writes into it until then. Says when it has done so many calls.
// `node load.ts DIR NOTES SEED CALLS`

import { openNotes } from '@svc/conformance/testing/notes'
import { seeded } from '@svc/conformance/testing/seeded'
import { openFolder } from '../../index.ts'
import { loadBlobs } from './blobs.ts'
import { JOURNALS, loadJournal } from './journals.ts'
import { CLIENTS, loadRegisters } from './registers.ts'

const [dir = '', file = '', seed = '', calls = ''] = process.argv.slice(2)
const notes = openNotes(file, Number(calls), () => process.stdout.write('reached\n'))
const randomOf = (part: number) => seeded(Number(seed) * 100 + part)

process.stdout.write('opening\n')
const { store, bus, blobs } = await openFolder(dir)
process.stdout.write('ready\n')
const loads = [
  ...Array.from({ length: CLIENTS }, (_, client) => loadRegisters(store, notes, client, randomOf(client))),
  ...Array.from({ length: JOURNALS }, (_, at) => loadJournal(bus.journal, notes, at, randomOf(20 + at))),
  loadBlobs(blobs, notes, randomOf(40)),
]
await Promise.all(loads)
