import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Requirement } from './requirements/row.ts'

/** One citation found in a source file. */
export interface Citation {
  readonly id: string
  readonly file: string
  /** From `verifies.fails`: a known failure, so no proof. */
  readonly fails: boolean
}

/** What the gate reads from one file: citations, and the calls whose ids are no literals. */
export interface FileCitations {
  readonly citations: readonly Citation[]
  readonly unreadable: readonly string[]
}

const CALL =
  /\b(verifies(?:\.each|\.fails)?|cites)(?:<[^(]*>)?\(\s*(\[[^\]]*\]|(?:'[^'\n]*'\s*,?\s*)+|[^\s])/g
const LITERAL = /'([^'\n]*)'/g
const ONLY_LITERALS = /^\[?\s*('[^'\n]*'[\s,]*)+\]?$/
const COMMENT_LINE = /^[ \t]*(\/\/|\/?\*).*$/gm

/** Reads the citations of a file: `verifies(ids…)`, `verifies.each(ids)`, `verifies.fails(ids…)`, `cites(id, …)`. */
export function readCitations(file: string, source: string): FileCitations {
  const citations: Citation[] = []
  const unreadable: string[] = []
  for (const [, call = '', given = ''] of source.replace(COMMENT_LINE, '').matchAll(CALL)) {
    if (!ONLY_LITERALS.test(given.trim())) unreadable.push(`${file}: ${call}(${given}`)
    const literals = Array.from(given.matchAll(LITERAL), ([, id = '']) => id)
    const ids = given.startsWith('[') || call === 'cites' ? literals : literals.slice(0, 1)
    citations.push(...ids.map((id) => ({ id, file, fails: call === 'verifies.fails' })))
  }
  return { citations, unreadable }
}

/** What is wrong between rows and citations; empty lists all around let the build pass. */
export function judge(rows: readonly Requirement[], citations: readonly Citation[]) {
  const known = new Set(rows.map((row) => row.id))
  const proven = new Set(citations.filter((citation) => !citation.fails).map((citation) => citation.id))
  const ids = rows.map((row) => row.id)
  return {
    duplicates: ids.filter((id, at) => ids.indexOf(id) !== at),
    withoutRow: citations.filter((one) => !known.has(one.id)).map((one) => `${one.id} in ${one.file}`),
    builtUncited: rows.filter((row) => row.status === 'built' && !proven.has(row.id)).map((row) => row.id),
    pendingWithoutReason: rows.filter((row) => row.status === 'pending' && !row.why).map((row) => row.id),
    pendingButProven: rows
      .filter((row) => row.status === 'pending' && proven.has(row.id))
      .map((row) => row.id),
  }
}

const CITING_FILE = /\.test\.tsx?$|(^|\/)([\w-]+-)?(checks?|suites?)(-[\w-]+)?(\/.*)?\.ts$/
const SKIPPED = new Set(['node_modules', 'dist', 'coverage'])

/** The files under `root`, named from there, that may cite: tests, checks of examples, shared suites. The tests of the gate itself are not read. */
export function citingFiles(root: string, under = ''): string[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name)
    if (entry.isDirectory())
      return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : citingFiles(root, path)
    return CITING_FILE.test(path) && entry.name !== 'gate.test.ts' ? [path] : []
  })
}

/** Reads every citation under `root`. */
export function readHouse(root: string): FileCitations {
  const reads = citingFiles(root).map((file) => readCitations(file, readFileSync(join(root, file), 'utf8')))
  return {
    citations: reads.flatMap((read) => read.citations),
    unreadable: reads.flatMap((read) => read.unreadable),
  }
}

/** Built and pending rows by source, one line each, then how many of all a test cites and how many have a reason to wait. */
export function counts(rows: readonly Requirement[]): string {
  const sources = [...new Set(rows.map(({ source }) => source))].sort()
  const width = Math.max(...sources.map(({ length }) => length))
  const lines = sources.map((name) => {
    const held = rows.filter(({ source }) => source === name)
    const standing = builtCount(held)
    return `${name.padEnd(width)} ${String(standing).padStart(4)} built ${String(held.length - standing).padStart(4)} pending`
  })
  const cited = builtCount(rows)
  const pending = rows.length - cited
  return [...lines, `requirements: ${cited} cited, ${pending} pending with a reason`].join('\n')
}

const builtCount = (rows: readonly Requirement[]) => rows.filter((row) => row.status === 'built').length
