import { buffer } from 'node:stream/consumers'
import { unpackTar } from '@svc/node/archive'
import { frozenClock } from '@svc/node/testing'
import { expect, test } from 'vitest'
import { collection } from '../index.ts'
import { memoryState } from './memory-state.ts'
import { readState } from './read-state.ts'
import { writeState } from './write-state.ts'

const notes = collection({
  name: 'notes',
  row: {} as { readonly owner: string; readonly more: string },
  indexes: { byOwner: (row) => [row.owner] },
})

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

test('an archive has records in parts, and a long one in a part of its own', async () => {
  const clock = frozenClock()
  const state = await memoryState({ clock, secret: 's'.repeat(43) })
  const long = 'x'.repeat(4_200_000)
  for (const id of ['a', 'b', 'c'])
    await state.store.insert(notes, id, { owner: long, more: id === 'c' ? long : '' })
  const bytes = await buffer(writeState(state.pieces()))
  const paths: string[] = []
  for await (const { path } of unpackTar(once(bytes))) paths.push(path)
  expect(paths.filter((path) => path.startsWith('records/'))).toHaveLength(3)
  const after = await memoryState({ clock, secret: 'other', from: readState(once(bytes)) })
  const again = await buffer(writeState(after.pieces()))
  expect(again.equals(bytes)).toBe(true)
})
