import { isDeepStrictEqual } from 'node:util'
import {
  compareSemver,
  type Distribution,
  needsSentence,
  pluginManifestSchema,
  reachSentence,
} from '@svc/contract'
import type { RouteInput } from '@svc/contract/route-client'
import type { HostClient } from '../host/client.ts'
import { Failure, failure } from '../terminal/failure.ts'
import { notePlug, type PlugFile } from './plug-file.ts'

/** Where two manifests or distributions differ, as paths. */
export interface Changes {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly truncated: boolean
}

/** What a publish did, or with `--dry-run` would do. */
export interface PublishReport {
  /** A plugin that was not there before, a version of one that was, or neither. */
  readonly did: 'created' | 'version' | 'unchanged'
  /** `null` where a dry run mints none. */
  readonly tool_id: string | null
  /** The one that was published; `null` where none was, and before the plugin is there. */
  readonly version: string | null
  /** The version before; `null` where none was frozen yet. */
  readonly from: string | null
  /** The difference between the two; `null` where there are not two. */
  readonly changes: Changes | null
  /** Fields beside the content that were written: name, visibility, texts. */
  readonly edited: readonly string[]
  /** What a dry run would publish first. */
  readonly first?: FirstContent
}

/** What a plugin begins with. */
export interface FirstContent {
  readonly name: string
  readonly version: string | null
  readonly visibility: string
  readonly tools: readonly string[]
  readonly distribution: Distribution | null
  /** What it reaches and is started with, in sentences. */
  readonly asks: string
  /** Fields beside these. */
  readonly also: readonly string[]
}

const created = (tool_id: string | null, version: string | null): PublishReport => ({
  did: 'created',
  tool_id,
  version,
  from: null,
  changes: null,
  edited: [],
})

/** What these hold is judged by the host. */
type Manifest = NonNullable<RouteInput<'POST /plugs/my/drafts/{draft_id}/commit'>['body']>['manifest']
type MintBody = RouteInput<'POST /plugs/my/drafts'>['body']

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
 * Publishes a plugin: the first time it mints an id and commits, later it freezes a version. A publish that was
 * interrupted between mint and commit continues with its draft. Errors: `host`, `unreachable`.
 */
export async function publishPlug(host: HostClient, input: PublishInput): Promise<PublishReport> {
  const { toolId, draftId } = input.file
  if (toolId !== undefined && draftId === undefined) return publishNext(host, input, toolId)
  if (input.dryRun) return { ...created(toolId ?? null, null), first: firstOf(input) }
  if (toolId === undefined || draftId === undefined) return commit(host, input, await mint(host, input))
  return resume(host, input, { toolId, draftId })
}

function firstOf({ file: { named, described, distribution }, manifest }: PublishInput): FirstContent {
  const parsed = pluginManifestSchema.safeParse(manifest)
  const { visibility = 'private', ...also } = described
  return {
    name: String(named.name),
    version: parsed.data?.version ?? null,
    visibility: String(visibility),
    tools: parsed.data?.tools.map(({ name }) => name) ?? [],
    distribution: distribution ?? null,
    asks: [reachSentence(parsed.data?.reach), needsSentence(distribution ?? {})].filter(Boolean).join(' '),
    also: Object.keys(also),
  }
}

interface Reservation {
  readonly toolId: string
  readonly draftId: string
}

async function commit(
  host: HostClient,
  { file, manifest }: PublishInput,
  minted: Reservation,
): Promise<PublishReport> {
  const { toolId, draftId } = minted
  const body = { manifest: manifest as Manifest, distribution: file.distribution, ...file.described }
  const record = await host.ask('POST /plugs/my/drafts/{draft_id}/commit', {
    params: { draft_id: draftId },
    body,
  })
  await notePlug(file.dir, { tool_id: toolId, draft_id: undefined })
  return created(toolId, record.version)
}

/** Continues with a draft that was minted before. */
async function resume(host: HostClient, input: PublishInput, waiting: Reservation): Promise<PublishReport> {
  try {
    return await commit(host, input, waiting)
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined
    if (code === 'conflict') {
      // It was committed, and only the answer was lost.
      await notePlug(input.file.dir, { tool_id: waiting.toolId, draft_id: undefined })
      return publishNext(host, input, waiting.toolId)
    }
    if (code !== 'draft_expired' && code !== 'not_found') throw error
    input.say(`the draft of ${waiting.toolId} is over; another id is minted`)
    return commit(host, input, await mint(host, input))
  }
}

/** Reserves an id and writes it down before anything can go wrong with it. */
async function mint(host: HostClient, { file, say }: PublishInput): Promise<Reservation> {
  const { draft_id, tool_id } = await host.ask('POST /plugs/my/drafts', { body: file.named as MintBody })
  await notePlug(file.dir, { tool_id, draft_id })
  say(`minted ${tool_id}`)
  return { toolId: tool_id, draftId: draft_id }
}

async function publishNext(host: HostClient, input: PublishInput, toolId: string): Promise<PublishReport> {
  const { file, manifest, dryRun } = input
  const params = { tool_id: toolId }
  const record = await host.ask('GET /plugs/my/tools/{tool_id}', { params }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    throw failure(
      'host',
      `this user has no plugin ${toolId} on ${host.base}`,
      'It was published elsewhere, by another user, or removed. Take tool_id out of svc.plug.json to publish it as a new plugin.',
      error.code,
    )
  })
  const wanted = { name: file.named.name, ...file.described }
  const edits = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && !isSame(record[key as keyof typeof record], value),
  )
  const { version: said, ...unversioned } = manifest === undefined ? {} : (manifest as { version?: string })
  // The host took the next patch while the plugin still says the version before: that alone is no change.
  const isStale = said !== undefined && compareSemver(said, String(record.version)) < 0
  const body = { manifest: (isStale ? unversioned : manifest) as Manifest, distribution: file.distribution }
  const freeze = 'POST /plugs/my/tools/{tool_id}/versions'
  const preview = (await host.ask(freeze, { params, query: { dry_run: '1' }, body })) as Preview
  const edited = edits.map(([key]) => key)
  const { from } = preview
  const changes = from === null ? null : preview.changes
  // What was committed as it is has no version to compare with until one is frozen.
  const isLive = from === null && isSame(contentOf(record), contentOf(body))
  const planned = isLive ? null : preview.version
  if (isStale && planned !== null)
    throw failure(
      'config',
      `the plugin has version ${said}, and ${record.version} is published`,
      'Raise the version in the plugin, or leave it out: then each publish takes the next patch.',
    )
  const did = planned === null ? 'unchanged' : 'version'
  if (dryRun) return { did, tool_id: toolId, version: planned, from, changes, edited }
  const done = planned === null ? null : await host.ask(freeze, { params, body })
  if (edits.length > 0)
    await host.ask('PATCH /plugs/my/tools/{tool_id}', { params, body: Object.fromEntries(edits) })
  return { did, tool_id: toolId, version: done?.version ?? null, from, changes, edited }
}

const isSame = isDeepStrictEqual

/** What a version is made of, as the host keeps it: the version itself is no content. */
function contentOf({ manifest, distribution }: Readonly<Record<string, unknown>>): unknown {
  const parsed = pluginManifestSchema.safeParse(manifest)
  const { version: _, ...rest } = parsed.success ? parsed.data : {}
  // As JSON has it: a key that holds nothing is no key.
  return JSON.parse(JSON.stringify({ manifest: rest, distribution: distribution ?? null }))
}
