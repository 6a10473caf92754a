import { collection } from '@svc/state'

interface Note {
  readonly owner: string
  readonly text: string
  readonly size: number
}

/** A kind of record that is not changed any more: the fixtures have it. */
export const notes = collection({
  name: 'notes',
  row: {} as Note,
  indexes: { byOwner: ({ owner, size }) => [owner, size], bySize: ({ size }) => (size > 1 ? [size] : null) },
  weight: ({ size }) => size,
})

/** The records of every fixture, in the order of `byOwner`. */
export const fixtureNotes: readonly { readonly id: string; readonly row: Note }[] = [
  { id: 'a', row: { owner: 'ann', text: 'plain', size: 1 } },
  { id: '\u0000b', row: { owner: 'ann', text: 'zero in the id', size: 2 } },
  { id: 'c', row: { owner: 'bob', text: 'lone \ud83d and whole 🙂', size: 3.5 } },
  { id: 'd', row: { owner: 'ü', text: 'x'.repeat(10_000), size: -4 } },
]

/** The items of their journal, of which one before was trimmed. */
export const fixtureItems: readonly string[] = ['{"n":1}', '"\ud83d\ude42"', '[]']

/** The blob of every fixture, and its digest. */
export const fixtureText = 'bytes of a blob'

/** The epoch and secret are random: what each fixture has is noted here. */
export const fixtures = [
  { format: 1, epoch: '17a28e5e1959', secret: 'jWhPI0bKDpUBpf4tbd_HvciNBg4mkMX4TSRJg5N3yU4' },
] as const
