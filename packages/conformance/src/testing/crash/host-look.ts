/**
 * Opens the host of a folder, waits until what was under way has ended, and prints what a page reads: `host-look.ts DIR`,
 * with the keys of storage and the URLs of uploads as JSON on stdin.
 */
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { blobReferences } from '@svc/host'
import { checkFolder } from '@svc/state-sqlite'
import { openDurableHost } from './durable-host.ts'

/** What is asked for. */
export interface Wanted {
  readonly keys: readonly string[]
  readonly urls: readonly string[]
  readonly jobs: readonly string[]
}

/** What was found. */
export interface Found {
  /** By its key the value in storage, or null. */
  readonly values: Readonly<Record<string, { mark: string; text: string; again: string } | null>>
  /** By its URL the text of a file, or null. */
  readonly files: Readonly<Record<string, string | null>>
  /** By its id the state of a job, or the code of an error. */
  readonly jobs: Readonly<Record<string, string>>
  /** What `svc data check` says of the folder. */
  readonly problems: readonly string[]
}

const LOOK_MS = 50
const UNDER_WAY = `
  SELECT count(*) AS found FROM records r JOIN collections c ON c.n = r.collection
  WHERE (c.name = 'jobs' AND body ->> 'state' NOT IN ('succeeded', 'failed', 'cancelled', 'expired'))
     OR (c.name = 'runs' AND body ->> 'stream_closed' = 0)`

const dir = process.argv[2] ?? ''
const { keys, urls, jobs } = JSON.parse(await text(process.stdin)) as Wanted
const host = await openDurableHost(dir)
const db = new DatabaseSync(path.join(dir, 'data', 'svc.db'), { readOnly: true })
while ((db.prepare(UNDER_WAY).get()?.found as number) > 0) await wait(LOOK_MS)
db.close()

const found = { values: {}, files: {}, jobs: {} } as {
  -readonly [Part in Exclude<keyof Found, 'problems'>]: Record<string, never>
}
for (const key of keys)
  found.values[key] = (await host.call<{ value: never }>('storage', 'get', { key }).then(
    ({ value }) => value,
    (error: Error) => (/not_found/.test(error.message) ? null : Promise.reject(error)),
  )) as never
for (const url of urls) {
  const response = await host.request(url)
  found.files[url] = (response.ok ? await response.text() : null) as never
}
for (const jobId of jobs)
  found.jobs[jobId] = (await host.call<{ state: string }>('tools', 'getJob', { jobId }).then(
    ({ state }) => state,
    (error: Error) => error.message,
  )) as never
await host.close()
const { problems } = await checkFolder(path.join(dir, 'data'), { namedBlobs: blobReferences })
console.log(JSON.stringify({ ...found, problems } satisfies Found))
