import { isDeepStrictEqual } from 'node:util'
import { pluginManifestSchema } from '@svc/contract'
import { Failure, failure } from '../failure.ts'
import type { HostClient } from '../host/client.ts'
import { notePlug, type PlugFile } from './plug-file.ts'

/** Where two manifests or distributions differ, as paths. */
export interface Changes {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly truncated: boolean
}

/** What a publish did, or would do. `version` is `null` where there is nothing to publish. */
export interface Published {
  readonly tool_id: string | null
  readonly version: string | null
  readonly from: string | null
  readonly changes: Changes | null
  /** Fields beside the content that were written: name, visibility, texts. */
  readonly edited: readonly string[]
}

interface Preview {
  readonly from: string | null
  readonly version: string | null
  readonly changes: Changes
}

/** What is published, and whether it is only tried. */
export interface PublishInput {
  readonly file: PlugFile
  readonly manifest: unknown
  readonly dryRun: boolean
  readonly say: (line: string) => void
}

/**
 * Publishes a plugin: the first time it mints an id and commits, later it freezes a version (spec §3.4). A publish that
 * broke off between mint and commit goes on with its draft. Errors: `host`, `unreachable`.
 */
export async function publishPlug(host: HostClient, input: PublishInput): Promise<Published> {
  const { toolId, draftId } = input.file
  if (toolId === undefined) return publishFirst(host, input, null)
  if (draftId !== undefined) {
    const first = await publishFirst(host, input, { toolId, draftId })
    if (first.version !== null || input.dryRun) return first
  }
  return publishNext(host, input, toolId)
}

interface Minted {
  readonly toolId: string
  readonly draftId: string
}

async function publishFirst(
  host: HostClient,
  input: PublishInput,
  waiting: Minted | null,
): Promise<Published> {
  const { file, dryRun, say } = input
  if (dryRun) return { tool_id: file.toolId ?? null, version: null, from: null, changes: null, edited: [] }
  const minted = waiting ?? (await mint(host, input))
  const content = { manifest: input.manifest, distribution: file.distribution, ...file.described }
  try {
    const path = `/plugs/my/drafts/${minted.draftId}/commit`
    const record = await host.send<{ version: string }>('POST', path, content)
    await notePlug(file.dir, { tool_id: minted.toolId, draft_id: undefined })
    return { tool_id: minted.toolId, version: record.version, from: null, changes: null, edited: [] }
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined
    // The commit went through and its answer was lost: what is left is a version.
    if (waiting && code === 'conflict') {
      await notePlug(file.dir, { tool_id: waiting.toolId, draft_id: undefined })
      return { tool_id: waiting.toolId, version: null, from: null, changes: null, edited: [] }
    }
    if (!waiting || (code !== 'draft_expired' && code !== 'not_found')) throw error
    say(`the draft of ${waiting.toolId} is over; another id is minted`)
    return publishFirst(host, input, null)
  }
}

/** Reserves an id and writes it down before anything can go wrong with it. */
async function mint(host: HostClient, { file, say }: PublishInput): Promise<Minted> {
  const { draft_id, tool_id } = await host.send<{ draft_id: string; tool_id: string }>(
    'POST',
    '/plugs/my/drafts',
    file.named,
  )
  await notePlug(file.dir, { tool_id, draft_id })
  say(`minted ${tool_id}`)
  return { toolId: tool_id, draftId: draft_id }
}

async function publishNext(host: HostClient, input: PublishInput, toolId: string): Promise<Published> {
  const { file, manifest, dryRun } = input
  const own = `/plugs/my/tools/${encodeURIComponent(toolId)}`
  const record = await host.get<Readonly<Record<string, unknown>>>(own).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    throw failure(
      'host',
      `this user has no plugin ${toolId} on ${host.origin}`,
      'It was published elsewhere, by another user, or removed. Take tool_id out of svc.plug.json to publish it anew.',
      error.code,
    )
  })
  const wanted = { name: file.named.name, ...file.described }
  const edits = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && !isSame(record[key], value),
  )
  const body = { manifest, distribution: file.distribution }
  const preview = await host.send<Preview>('POST', `${own}/versions?dry_run=1`, body)
  const edited = edits.map(([key]) => key)
  const { changes } = preview
  // What was committed as it is now has no version to compare with until it is shown to others.
  const isLive = preview.from === null && isSame(contentOf(record), contentOf(body))
  const from = preview.from ?? String(record.version)
  const planned = isLive ? null : preview.version
  if (dryRun) return { tool_id: toolId, version: planned, from, changes, edited }
  const done = planned === null ? null : await host.send<{ version: string }>('POST', `${own}/versions`, body)
  if (edits.length > 0) await host.send('PATCH', own, Object.fromEntries(edits))
  return { tool_id: toolId, version: done?.version ?? null, from, changes, edited }
}

const isSame = isDeepStrictEqual

/** What a version is made of, as the host keeps it: the version itself is no content (decision 33). */
function contentOf({ manifest, distribution }: Readonly<Record<string, unknown>>): unknown {
  const parsed = pluginManifestSchema.safeParse(manifest)
  const { version: _, ...rest } = parsed.success ? parsed.data : {}
  // As JSON has it: a key that holds nothing is no key.
  return JSON.parse(JSON.stringify({ manifest: rest, distribution: distribution ?? null }))
}
