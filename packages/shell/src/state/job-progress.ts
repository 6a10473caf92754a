import { visibleLine } from '@svc/contract/visible-text'
import type { Job } from './job.ts'
import { detailsText } from './notices.ts'

type Fields = Readonly<Record<string, unknown>>
/** A part from 0 to 1, and in words such as `3 of 10` or `42 %`. */
interface Part {
  readonly part: number
  readonly label: string
}

/** The longest text of a plugin that is shown under a bar. */
const TEXT_MAX_CHARS = 200

const counts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max

/**
 * The forms in which plugins tell a part; the first that fits counts. A plugin that tells a part of the whole and a
 * count counts a stage of it. A new form is a new row.
 */
const forms: readonly ((data: Fields) => Part | null)[] = [
  ({ percent }) => (isNumber(percent, 0, 100) ? inPercent(percent / 100) : null),
  ({ progress }) => (isNumber(progress, 0, 1) ? inPercent(progress) : null),
  ({ share }) => (isNumber(share, 0, 1) ? inPercent(share) : null),
  ({ done, of }) =>
    isNumber(done, 0, Number.MAX_VALUE) && isNumber(of, Number.MIN_VALUE, Number.MAX_VALUE)
      ? { part: Math.min(1, done / of), label: `${counts.format(done)} of ${counts.format(of)}` }
      : null,
]

const inPercent = (part: number): Part => ({ part, label: percents.format(part) })

/** The members in which plugins say what they do; the first that is a text counts. */
const words = ['message', 'text', 'status', 'step', 'stage', 'phase', 'label'] as const

/** Reads the bar of a job: the last part and the last words that its plugin told, where it told any. */
export function barOf(progress: Job['progress']) {
  const datas = progress.map(({ data }) => data).reverse()
  const part = firstOf(datas, partOf)
  const said = firstOf(datas, wordsOf)
  const [last] = datas
  const text = said ?? (part === null ? detailsText(last) : '')
  return { part: part?.part ?? null, label: part?.label ?? '', text: oneLine(text) }
}

const isFields = (data: unknown): data is Fields =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

const partOf = (data: unknown): Part | null => (isFields(data) ? firstOf(forms, (form) => form(data)) : null)

function wordsOf(data: unknown): string | null {
  if (typeof data === 'string') return data || null
  if (!isFields(data)) return null
  return firstOf(words, (word) => {
    const text = data[word]
    return typeof text === 'string' && text.trim() !== '' ? text : null
  })
}

/** What `look` finds first; it is asked no further. */
function firstOf<From, To>(all: readonly From[], look: (one: From) => To | null): To | null {
  for (const one of all) {
    const found = look(one)
    if (found !== null) return found
  }
  return null
}

function oneLine(text: string): string {
  const line = visibleLine(text)
  return line.length > TEXT_MAX_CHARS ? `${line.slice(0, TEXT_MAX_CHARS)}…` : line
}
