import { lookAt, parseExact } from '@svc/contract/exact-json'
import { lineSplitter } from '@svc/contract/lines'
import { collection, memoryBus, memoryStore } from '@svc/state'

/** Does a piece of work `count` times, the same each time. */
type Path = (count: number) => Promise<unknown> | unknown

const bytes = (text: string) => new TextEncoder().encode(text)
const answer = {
  id: 'c12',
  ok: true,
  result: { city: 'Turin', days: 3, note: 'ein "Wörtchen"\n', at: [1, 2.5, -3] },
}
const line = bytes(`${JSON.stringify(answer)}\n`)
/** Three lines in two chunks, so that one spans both. */
const three = new Uint8Array([...line, ...line, ...line])
const chunks = [three.subarray(0, line.length + 20), three.subarray(line.length + 20)]
const odd = '{"id":12345678901234567890,"price":1.10,"list":[1,2,3]}'

const notes = collection({ name: 'notes', row: {} as { readonly n: number }, indexes: {} })
/** Nothing here waits. */
const clock = { now: () => 0, setTimer: () => () => {} }

/** The small works that calls, tools and frames are made of, without a socket or a clock: the same instructions each time. */
export const paths: Readonly<Record<string, Path>> = {
  'split three lines of a plugin': (count) => {
    const splitter = lineSplitter(1_000_000, () => true)
    for (let at = 0; at < count; at++) for (const chunk of chunks) splitter.push(chunk)
  },
  'look at a JSON line': (count) => {
    for (let at = 0; at < count; at++) lookAt(line, 64)
  },
  'parse numbers exactly': (count) => {
    for (let at = 0; at < count; at++) parseExact(odd)
  },
  'append an item to a journal and read it': async (count) => {
    const { journal } = memoryBus({ clock })
    for (let at = 1; at <= count; at++) {
      await journal.append('run', at, ['{"text":"token"}'])
      await journal.read('run', at - 1, { limit: 1 })
    }
  },
  'get and swap a record': async (count) => {
    const store = memoryStore()
    await store.insert(notes, 'n', { n: 0 })
    for (let at = 1; at <= count; at++) {
      const record = await store.get(notes, 'n')
      if (record) await store.swap(notes, 'n', record.revision, { n: at })
    }
  },
}
