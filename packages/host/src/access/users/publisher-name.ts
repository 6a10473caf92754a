import { limits, refuse } from '@svc/contract'
import { lookAlikes } from './look-alikes.ts'

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
    throw wrong('must not have characters that are not seen or marks upon marks')
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
