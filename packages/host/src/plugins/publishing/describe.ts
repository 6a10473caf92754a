import { type Distribution, explain, type PluginManifest, pluginManifestSchema, refuse } from '@svc/contract'
import { canonicalJson, jsonDigest } from '@svc/contract/digest'
import type { PluginDescription, ToolDescription } from '@svc/contract/stdio'
import * as z from '@svc/contract/zod'
import {
  type DescribeOutcome,
  describeMs,
  type Failure,
  failure,
  type InstalledSpec,
  parseDescription,
  withLastWords,
} from '@svc/runner'
import { inTime } from '../../kernel/in-time.ts'
import type { RunnerLink } from '../../machines/runners.ts'
import { installAndDescribe } from '../deployments/deploy.ts'
import { judgeDistribution } from './content.ts'
import type { DescribeBody } from './plug-input.ts'
import type { PublishingParts } from './publishing.ts'

const wrapped = z.object({ manifest: pluginManifestSchema })

/**
 * Has a runner of the user install a plugin and ask it what it is: its manifest. The first of several runners that can
 * do it is used; all of it takes `INSTALL_TIMEOUT_MS` and `describeMs` at most. Errors: `invalid_arg`,
 * `agent_unavailable` (none is online), `rate_limited`, and those of an install.
 */
export async function describePlugin(
  parts: PublishingParts,
  userId: string,
  { distribution, reach, values }: DescribeBody,
  signal: AbortSignal = new AbortController().signal,
): Promise<PluginManifest> {
  judgeDistribution(parts, distribution)
  const { clock, describing, limits, runners } = parts
  const spec = { ...specOf(parts, userId, distribution), reach, values }
  const ms = limits.INSTALL_TIMEOUT_MS + describeMs(spec, limits)
  const late = () => refuse('plug_unavailable', `the plugin did not return its description within ${ms} ms`)
  if (!describing.enter(userId))
    throw refuse('rate_limited', `a user may have ${limits.DESCRIBES_PER_USER} plugins described at a time`)
  const told = async (ending: AbortSignal) => {
    await runners.refresh(userId)
    return firstOf(parts, runners.online(userId), spec, ending)
  }
  const outcome = await inTime(told, { clock, ms, late, signal }).finally(() => describing.leave(userId))
  if (!outcome.ok) {
    const { code, message, details } = outcome
    throw refuse(code, withLastWords(message, details), details)
  }
  return manifestOf(outcome.description, parts)
}

const noRunner = failure('agent_unavailable', 'no runner of this user is online to describe the plugin', {
  retriable: true,
  hint: 'Start a runner (svc runner), or send `manifest`: what the plugin returns for describe.',
})

/**
 * A package without a version of its own is installed once for each version of its plugin: who has it described again
 * means what its registry has by then.
 */
const versionOf = (now: number, { INSTALL_RETRY_MS }: PublishingParts['limits']) =>
  `0.0.0-described.${Math.floor(now / INSTALL_RETRY_MS)}`

const specOf = (
  { clock, limits }: PublishingParts,
  author: string,
  distribution: Distribution,
): InstalledSpec => ({
  id: `described-${jsonDigest(distribution)}`,
  version: versionOf(clock.now(), limits),
  author,
  distribution,
})

async function firstOf(
  { clock, limits }: PublishingParts,
  links: readonly RunnerLink[],
  spec: InstalledSpec,
  signal: AbortSignal,
): Promise<DescribeOutcome> {
  let last: Failure = noRunner
  for (const { runner } of links) {
    const told = await installAndDescribe({ clock, limits }, runner, spec, signal)
    if (told.ok) return told
    // The id is made for this one time: nobody knows it.
    last = { ...told, message: told.message.replaceAll(spec.id, 'the plugin') }
  }
  return last
}

/** What a plugin said of itself, held to the rules of a manifest. Errors: `invalid_arg`. */
function manifestOf(description: PluginDescription, { limits }: PublishingParts): PluginManifest {
  const tools = description.tools.map((tool) => withoutDerived(tool, limits))
  const body = { manifest: { ...description, tools } }
  const parsed = wrapped.safeParse(body)
  if (parsed.success) return parsed.data.manifest
  throw refuse(
    'invalid_arg',
    `the plugin's response to describe cannot be published: ${explain(parsed.error, body)}`,
  )
}

/** A schema that the runner made of the parameters is left out: it would stay behind when they are edited. */
function withoutDerived(tool: ToolDescription, limits: PublishingParts['limits']) {
  const { input_schema, ...rest } = tool
  const derived = parseDescription({ name: 'derived', tools: [rest] }, limits)
  const isDerived =
    typeof derived !== 'string' &&
    canonicalJson(derived.tools[0]?.input_schema) === canonicalJson(input_schema)
  return isDerived ? rest : tool
}
