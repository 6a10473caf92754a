import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Call } from '../notes.ts'
import type { Found, Wanted } from './host-look.ts'

const TERMINAL = ['succeeded', 'failed', 'cancelled', 'expired']
const DRAFT = '0.0.0-draft'
/** The name of the draft with which a host begins. */
export const FIRST_DRAFT = 'Draft 0'

interface VersionRow {
  readonly version: string
  readonly manifest: { readonly name: string }
  readonly files: Readonly<Record<string, { readonly digest: string }>>
}

/** What must be true of a host that was killed again and again. Each check returns sentences on what is not. */
export function openHostChecks(dir: string) {
  /** By key: what may be there. */
  const possible = new Map<string, (string | null)[]>()
  /** The names that the draft may have. */
  let drafts = [FIRST_DRAFT]
  const uploads = new Map<string, string>()
  const jobs = new Map<string, string | null>()
  const runs = new Set<string>()
  const releases = new Map<string, string>()

  function written(key: string, mark: string, isDone: boolean): void {
    possible.set(key, isDone ? [mark] : [...(possible.get(key) ?? [null]), mark])
  }

  function wrongFound({ values, files, jobs: states }: Found): string[] {
    const wrong: string[] = []
    for (const [key, value] of Object.entries(values)) {
      if (!possible.get(key)?.includes(value?.mark ?? null))
        wrong.push(`${key} has ${value?.mark}, and should have ${possible.get(key)}`)
      if (value && (value.again !== value.mark || value.text.replaceAll(value.mark, '') !== ''))
        wrong.push(`${key} was written in part`)
      possible.set(key, [value?.mark ?? null])
    }
    for (const [url, text] of uploads)
      if (files[url] !== text) wrong.push(`the file ${url} is not what was uploaded`)
    for (const [id, state] of Object.entries(states)) {
      if (!TERMINAL.includes(state)) wrong.push(`job ${id} has not ended: ${state}`)
      const before = jobs.get(id) ?? state
      if (before !== state) wrong.push(`job ${id} had ended as ${before}, and is ${state}`)
      jobs.set(id, state)
    }
    return wrong
  }

  function wrongRows(): string[] {
    const db = new DatabaseSync(path.join(dir, 'data', 'svc.db'), { readOnly: true })
    const rowsOf = <Row>(name: string): Row[] => {
      const found = db
        .prepare('SELECT body FROM records r JOIN collections c ON c.n = r.collection WHERE c.name = ?')
        .all(name)
      return found.map(({ body }) => JSON.parse(body as string) as Row)
    }
    try {
      return [
        ...rowsOf<{ state: string; args: string | null }>('jobs')
          .filter(({ state, args }) => !TERMINAL.includes(state) || args !== null)
          .map((row) => `a job has not ended: ${JSON.stringify(row)}`),
        ...rowsOf<{ stream_closed: boolean; stream_id: string }>('runs')
          .filter(({ stream_closed }) => !stream_closed)
          .map(({ stream_id }) => `the run ${stream_id} has not ended`),
        ...wrongVersions(rowsOf<VersionRow>('versions')),
      ]
    } finally {
      db.close()
    }
  }

  function wrongVersions(versions: readonly VersionRow[]): string[] {
    const wrong: string[] = []
    for (const { version, manifest, files } of versions) {
      for (const [file, { digest }] of Object.entries(files)) {
        const blob = path.join(dir, 'data', 'blobs', digest.slice(0, 2), digest.slice(2))
        const text = existsSync(blob) ? readFileSync(blob, 'utf8') : null
        if (text !== `<!doctype html><p>${manifest.name}`)
          wrong.push(`${file} of version ${version}, ${manifest.name}, has ${text}`)
      }
      if (version !== DRAFT) continue
      if (!drafts.includes(manifest.name))
        wrong.push(`the draft is ${manifest.name}, and should be ${drafts}`)
      drafts = [manifest.name]
    }
    for (const [version, name] of releases)
      if (versions.find((row) => row.version === version)?.manifest.name !== name)
        wrong.push(`version ${version} is not the release of ${name}`)
    return wrong
  }

  function wrongStreams(): string[] {
    const db = new DatabaseSync(path.join(dir, 'data', 'journals.db'), { readOnly: true })
    try {
      const ends = db.prepare(`
        SELECT j.name, j.tail, count(i.seq) AS ends, max(i.seq) AS last FROM journals j
        LEFT JOIN items i ON i.journal = j.n AND i.item LIKE '{"event":"end"%' GROUP BY j.n`)
      const found = new Map<string, string>()
      for (const { name, tail, ends: count, last } of ends.all()) {
        const [, stream] = /run:(\w+)/.exec(Buffer.from(name as Uint8Array).toString('latin1')) ?? []
        if (stream)
          found.set(
            stream,
            count === 1 && last === tail ? 'ended' : `${count} ends, the last ${last} of ${tail}`,
          )
      }
      const wrong = [...found]
        .filter(([, end]) => end !== 'ended')
        .map(([stream, end]) => `the run ${stream} has ${end}`)
      for (const stream of runs) if (!found.has(stream)) wrong.push(`the run ${stream} has no frames`)
      return wrong
    } finally {
      db.close()
    }
  }

  function wrongStarts(): string[] {
    const file = path.join(dir, 'starts')
    const marks = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
    return marks
      .filter((mark, at) => marks.indexOf(mark) < at)
      .map((mark) => `the job ${mark} was started twice`)
  }

  return {
    /** Takes over what a host did until it was killed. */
    killed(calls: readonly Call[]): void {
      for (const { load, what, result } of calls) {
        const isDone = result !== undefined
        const told = what as Record<string, never>
        const given = (result ?? {}) as Record<string, never>
        if (load === 'storage') written(told.key as never, told.mark as never, isDone)
        if (load === 'drafts') drafts = [...(isDone ? [] : drafts), told.name as never]
        if (!isDone) continue
        if (load === 'jobs') jobs.set(given.jobId as never, null)
        if (load === 'jobs ended') jobs.set(told.jobId as never, result as never)
        if (load === 'runs') runs.add(given.stream_id as never)
        if (load === 'releases') releases.set(told.version as never, told.name as never)
        if (load === 'uploads')
          uploads.set(given.url as never, Buffer.alloc(told.size as never, told.mark as never).toString())
      }
    },
    wanted: (): Wanted => ({
      keys: [...possible.keys()],
      urls: [...uploads.keys()],
      jobs: [...jobs.keys()],
    }),
    /** What is wrong in what a page read, and in what the files of the closed folder say. */
    wrong: (found: Found): string[] => [
      ...found.problems,
      ...wrongFound(found),
      ...wrongRows(),
      ...wrongStreams(),
      ...wrongStarts(),
    ],
    /** How much there was to check. */
    counts: () => ({
      keys: possible.size,
      uploads: uploads.size,
      jobs: jobs.size,
      runs: runs.size,
      releases: releases.size,
    }),
  }
}
