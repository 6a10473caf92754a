import {
  type Distribution,
  isFloating,
  namesFault,
  type PluginManifest,
  refuse,
  wrongArg,
} from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { judgeUrl } from '@svc/node/public-fetch'
import type { Content, PlugRow } from '../../catalog/plug-row.ts'
import type { PluginServices } from '../services.ts'

type Rules = Pick<PluginServices, 'limits' | 'settings'>

/** Judges the URL of a logo or a binary, without the network. Errors: `invalid_arg`. */
export function judgeLink({ limits, settings }: Rules, url: string, label: string): string {
  judgeUrl(url, { label, path: label }, { limits, allowLoopback: settings.allowLoopback })
  return url
}

/**
 * Checks a plugin by the rules of its type: a tool comes from somewhere, a skill has a README and no process. Errors:
 * `invalid_arg`.
 */
export function judgePlug(rules: Rules, plug: Pick<PlugRow, 'type' | 'readme'> & Content): void {
  const { distribution, manifest, readme, type } = plug
  const bytes = Buffer.byteLength(canonicalJson(manifest))
  const max = rules.limits.MANIFEST_MAX_BYTES
  if (bytes > max) throw wrongArg('manifest', `must have at most ${max} bytes, got ${bytes}`)
  if (distribution) judgeDistribution(rules, distribution)
  judgeFolders(plug)
  if (type === 'tool' && !distribution) throw noDistribution()
  if (type === 'tool') return
  if (distribution) throw wrongArg('distribution', 'must be left out for a skill, which has no process')
  if (manifest.tools.length > 0)
    throw wrongArg('manifest.tools', `must be empty for a skill, got ${manifest.tools.length}`, {
      hint: 'A skill is never invoked; a plugin of type "tool" has tools.',
    })
  if (!readme) throw wrongArg('readme', 'is required for a skill: it is its content')
}

/** Folders of a reach may have names of the distribution's variables in them, and no others. Errors: `invalid_arg`. */
function judgeFolders({ manifest, distribution }: Content): void {
  for (const [at, { path }] of (manifest.reach?.folders ?? []).entries()) {
    const fault = namesFault(path, Object.keys(distribution?.env ?? {}))
    if (fault !== null) throw wrongArg(`manifest.reach.folders.${at}.path`, fault)
  }
}

/** The refusal for a tool that comes from nowhere. */
export const noDistribution = () =>
  wrongArg('distribution', 'is required for a plugin of type "tool"', {
    hint: 'Name where it comes from, such as {"type": "npm", "package_name": "weather-plugin"}.',
  })

/** Judges where a plugin comes from, without the network. Errors: `invalid_arg`. */
export function judgeDistribution(rules: Rules, distribution: Distribution): void {
  if (distribution.type !== 'binary') return
  for (const [platform, { url }] of Object.entries(distribution.urls))
    judgeLink(rules, url, `distribution.urls.${platform}.url`)
}

/**
 * Refuses to freeze what a registry decides later: each of its users would run what the author pushed last. Errors:
 * `invalid_arg`.
 */
export function judgeFrozen(toolId: string, { distribution }: Pick<Content, 'distribution'>): void {
  if (!distribution || !('package_name' in distribution) || !isFloating(distribution)) return
  const { type, version } = distribution
  const got = version === undefined ? 'none' : JSON.stringify(version)
  throw refuse(
    'invalid_arg',
    `the ${type} distribution of a published version of ${toolId} must name an exact version, got ${got}`,
    { path: 'distribution.version', hint: 'Put "version": "1.2.3" beside package_name.' },
  )
}

/** A manifest without its version: what of it counts as content. */
export const unversioned = ({ manifest: { version: _, ...manifest }, distribution }: Content) => ({
  manifest,
  distribution,
})

/** Whether two versions have the same content. */
export const sameContent = (a: Content, b: Content): boolean =>
  canonicalJson(unversioned(a)) === canonicalJson(unversioned(b))

/** A manifest that says which version it is. */
export const withVersion = (manifest: PluginManifest, version: string): PluginManifest => ({
  ...manifest,
  version,
})
