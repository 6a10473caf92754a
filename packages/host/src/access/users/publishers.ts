import { limits, type Publisher, refuse } from '@svc/contract'
import type { Copies } from '../../catalog/copies.ts'
import { publishers, users } from '../../catalog/records.ts'
import type { AccessServices } from '../services.ts'

/** Letters, in lower case, that look like another, which is mostly Latin; also where only their capitals do. */
const rows: readonly (readonly [letter: string, like: string])[] = [
  ['a', 'аα'],
  ['b', 'вβь'],
  ['c', 'сϲ'],
  ['d', 'ԁđð'],
  ['e', 'еεє'],
  ['f', 'ϝ'],
  ['g', 'ցԍ'],
  ['h', 'һнηհћħ'],
  // Also what looks like a capital I.
  ['l', 'i1ıіїιӏłוןا'],
  ['j', 'јϳյ'],
  ['k', 'кκ'],
  ['m', 'мμ'],
  ['n', 'ոռ'],
  ['o', '0оοօøסه'],
  ['p', 'рρ'],
  ['q', 'ԛզ'],
  ['s', 'ѕտ'],
  ['t', 'тτ'],
  ['u', 'սυ'],
  ['v', 'ѵν'],
  ['w', 'ԝωѡ'],
  ['x', 'хχ'],
  ['y', 'уγү'],
  ['z', 'ζ'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['3', 'зӡэ'],
  ['6', 'б'],
  ['σ', 'ς'],
  ['力', 'カ'] as const,
  ['口', 'ロ'] as const,
  ['一', 'ー'] as const,
  ['二', 'ニ'] as const,
  ['工', 'エ'] as const,
  ['八', 'ハへヘ'] as const,
  ['夕', 'タ'] as const,
  ['卜', 'ト'] as const,
]

/** The letter that stands for all that look like it, in lower case. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  rows.flatMap(([letter, like]) => [...like].map((one) => [one, letter] as const)),
)

/** The characters of one script; a name has letters of one row alone, so that none can pass for one of another. */
const scripts: readonly RegExp[] = [
  // Without letters that only phonetics uses: many of them look like others.
  /[a-zæœøđðþłħŋ]/,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Ethiopic}/u,
  /[\p{Script=Hangul}\p{Script=Han}]/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
]
const BETWEEN = /[ 0-9.,&'+-]/gu
/** Characters that are not seen, that turn text around, or that mean nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u
/** Marks in a heap, or around a letter: they reach into other lines. */
const HEAPED = /\p{Script=Inherited}{2}|\p{Me}/u
const MARKS = /\p{Script=Inherited}/gu

/**
 * Reads the name of a publisher: NFKC, one space between words, letters of one script. Errors: `invalid_arg`.
 */
export function readPublisherName(text: string): string {
  const name = text.normalize('NFKC').replace(/ +/g, ' ').trim()
  const wrong = (why: string) => refuse('invalid_arg', `the name of a publisher ${why}`, { path: 'name' })
  if (UNSEEN.test(name) || HEAPED.test(name))
    throw wrong('must not have invisible characters or stacked combining marks')
  const max = limits.PUBLISHER_NAME_MAX_CHARS
  if (name.length > max) throw wrong(`must have at most ${max} characters, got ${name.length}`)
  if (publisherSkeleton(name) === '') throw wrong('must have a letter or a digit')
  const letters = [...plain(name).replace(BETWEEN, '')]
  if (!scripts.some((script) => letters.every((letter) => script.test(letter))))
    throw wrong("must have letters of one script, and besides only digits, spaces and . , & ' + -")
  return name
}

/** What looks the same has the same skeleton: case, accents, spaces and punctuation count for nothing. */
export const publisherSkeleton = (name: string): string =>
  [...plain(name).replace(/[^\p{L}\p{M}\p{N}]/gu, '')]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** Letters without accents, in lower case. */
const plain = (name: string): string =>
  name.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase().normalize('NFKC')

type PublisherParts = Pick<AccessServices, 'clock' | 'copies' | 'store'>

/** Who a user is to others: the name that the operator verified, or the id. */
export async function publisherOf(
  { publishers: copy }: Pick<Copies, 'publishers'>,
  userId: string,
): Promise<Publisher> {
  const record = await copy.get(userId)
  return { name: record?.row.name ?? userId, verified: record !== null }
}

/**
 * Verifies a name of a user, in place of the one before. The insert under the skeleton of the name decides who has it.
 * Errors: `invalid_arg`, `not_found`, `conflict`.
 */
export async function verifyPublisher(
  { clock, copies, store }: PublisherParts,
  userId: string,
  text: string,
): Promise<Publisher> {
  const name = readPublisherName(text)
  if (!(await store.get(users, userId))) throw refuse('not_found', 'there is no such user on this host')
  const id = publisherSkeleton(name)
  const [latest] = (await namesOf(store, userId)).rows
  const verified_at = Math.max(clock.now(), (latest?.row.verified_at ?? 0) + 1)
  const row = { user_id: userId, name, verified_at }
  for (let isWritten = false; !isWritten; ) {
    const inserted = await store.insert(publishers, id, row)
    if (inserted.ok) break
    if (!('exists' in inserted)) throw new Error('a publisher was refused without a cap')
    const { exists } = inserted
    if (exists.row.user_id !== userId)
      throw refuse(
        'conflict',
        `the publisher ${JSON.stringify(exists.row.name)} has this name, or one like it`,
      )
    isWritten = (await store.swap(publishers, id, exists.revision, row)).ok
  }
  // Of two that come at once the later one stays, in the order in which the name is read.
  const { rows } = await namesOf(store, userId)
  for (const before of rows.slice(1)) await store.remove(publishers, before.id, before.revision)
  copies.publishers.drop(userId)
  return { name, verified: true }
}

/** More than one name is there only between two writes. */
const NAMES_MAX = 10
const namesOf = (store: PublisherParts['store'], userId: string) =>
  store.scan(publishers, 'byUser', { eq: [userId], order: 'desc', limit: NAMES_MAX })

/** Removes the verified name of a user; says whether there was one. */
export async function withdrawPublisher(
  { copies, store }: Pick<PublisherParts, 'copies' | 'store'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await namesOf(store, userId)
  for (const { id, revision } of rows) await store.remove(publishers, id, revision)
  copies.publishers.drop(userId)
  return rows.length > 0
}
