import { isUtf8 } from 'node:buffer'
import { copyInTurns } from '@svc/state'
import type { Threads } from '../../kernel/threads/threads.ts'

const OUTSIDE = 'must have no reference outside itself'
const SCRIPT = 'must hold no script'
const UTF8 = 'must be written in UTF-8'

/**
 * What an SVG may not hold: whoever draws it would run, unfold or fetch something. Every pattern takes time in
 * proportion to the text: none has two neighbours that could share a run of characters between them.
 */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^\ufeff?\s*<\?xml[^>]*encoding\s*=\s*["'](?!utf-8["'])/i, UTF8],
  [/<!ENTITY/i, 'must define no entities'],
  [
    /<!DOCTYPE(?!\s+svg(\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w./-]+")?\s*>)/i,
    'must have no document type but that of SVG',
  ],
  [/<([\w.-]+:)?script[\s/>]/i, SCRIPT],
  [/[\s"'/]on\w+\s*=/i, SCRIPT],
  [/javascript:/i, SCRIPT],
  [/<([\w.-]+:)?(foreignObject|iframe|embed|object)[\s/>]/i, 'must hold nothing but SVG'],
  [/<\?xml-stylesheet|@import|image-set\(|attributeName\s*=\s*["'](xlink:)?href/i, OUTSIDE],
  [
    /[\s"'/]([\w.-]+:)?(href|src|base)\s*=\s*(["']\s*)?(?!["'#\s]|data:image\/(png|jpeg|gif|webp)[;,])/i,
    OUTSIDE,
  ],
  [/url\(\s*(["']\s*)?(?!["'#\s]|data:image\/(png|jpeg|gif|webp)[;,])/i, OUTSIDE],
]

/**
 * Why an SVG is not self-contained, as the end of a sentence; `null` where it does. The host draws none, but a model's
 * server may, and would reach what the host's own rules for URLs keep it from.
 */
export function svgFault(bytes: Buffer): string | null {
  const text = bytes.toString()
  return faultAt(
    bytes,
    patterns.findIndex((pattern) => pattern.test(text)),
  )
}

/** What is looked for, in order. */
const patterns: readonly RegExp[] = faults.map(([pattern]) => pattern)

/** The sentence of the pattern that was found in the text of some bytes; -1: none was. */
const faultAt = (bytes: Buffer, at: number): string | null =>
  isUtf8(bytes) ? (faults[at]?.[1] ?? null) : UTF8

/** From this size on an SVG is searched in another thread: ten patterns go through each of its bytes. */
const APART_BYTES = 131_072

/** What the thread runs: it names nothing from outside. */
const SEARCH = `({ bytes, patterns }) => {
  const text = Buffer.from(bytes).toString()
  return { found: patterns.findIndex((pattern) => pattern.test(text)), transfer: [] }
}`

/** Why an SVG of a user is not self-contained (`svgFault`); a large one leaves others their turn. */
export async function svgFaultInTurns(
  threads: Threads,
  userId: string,
  bytes: Buffer,
): Promise<string | null> {
  if (bytes.length < APART_BYTES) return svgFault(bytes)
  const copy = await copyInTurns(bytes)
  const given = { bytes: copy, patterns }
  return faultAt(bytes, await threads.run<number>(userId, { script: SEARCH, given, transfer: [copy.buffer] }))
}
