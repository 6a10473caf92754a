import { refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/**
 * Holds JSON text against what takes long to parse: lists and objects, and names of fields. They are counted in the
 * bytes, which costs a fraction of it. Errors: `invalid_arg`.
 */
export function holdParts(
  bytes: Uint8Array,
  limits: Pick<Limits, 'BODY_CONTAINERS_MAX' | 'BODY_NAMES_MAX'>,
): void {
  const { BODY_CONTAINERS_MAX: maxContainers, BODY_NAMES_MAX: maxNames } = limits
  // Each list has two bytes at least, each name four.
  if (bytes.length < 2 * Math.min(maxContainers, 2 * maxNames)) return
  let containers = 0
  let names = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) containers++
    else if (byte === COLON) names++
    if (containers > maxContainers) throw tooMany('lists and objects', maxContainers)
    if (names > maxNames) throw tooMany('names of fields', maxNames)
  }
}

/** The place of the quote that ends a text; short ones are walked, long ones searched. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}

const tooMany = (what: string, max: number) =>
  refuse('invalid_arg', `the body may have at most ${max} ${what}, got more`, {
    max,
    hint: 'Send it in several calls, or as one text.',
  })
