import type { Distribution } from '@svc/contract'
import { type DistributionForm, distributionRows, emptyDistribution, readNeeds } from './distribution-form.ts'

/** The names on the wire of what is typed in one line. */
const wireNames = {
  path: 'path',
  package_name: 'package_name',
  package_version: 'version',
  integrity: 'integrity',
  executable_name: 'executable_name',
} as const

/** What was typed, as the routes take it: they judge it. An empty line is left out, and so is the usual protocol. */
export function distributionOf(form: DistributionForm): Distribution {
  const lines = distributionRows[form.type].fields.map(({ name }) => [wireNames[name], form[name].trim()])
  const urls = form.binaries.map(({ platform, url, sha256 }) => [
    platform,
    { url: url.trim(), sha256: sha256.trim().toLowerCase() },
  ])
  return {
    ...readNeeds(form.needs),
    type: form.type,
    ...Object.fromEntries(lines.filter(([, text]) => text !== '')),
    ...(form.type === 'binary' && { urls: Object.fromEntries(urls) }),
    ...(form.protocol === 'mcp' && { protocol: 'mcp' }),
    ...(form.protocol === 'mcp' && form.sampling && { sampling: true }),
    // The host reads it with the schema of the contract, whose sentences the page shows.
  } as Distribution
}

/** A distribution of the host's in the form. */
export function formOf(distribution: Distribution | null): DistributionForm {
  if (distribution === null) return emptyDistribution
  const { type, protocol = 'svc', sampling = false, args, env, cwd, start_ms, session } = distribution
  const needs = Object.entries({ args, env, cwd, start_ms, session }).filter(([, one]) => one !== undefined)
  const told: Readonly<Record<string, unknown>> = distribution
  const lines = Object.entries(wireNames).map(([name, wire]) => [name, told[wire] ?? ''])
  const urls = distribution.type === 'binary' ? Object.entries(distribution.urls) : []
  return {
    ...emptyDistribution,
    ...Object.fromEntries(lines),
    type,
    protocol,
    sampling,
    needs: needs.length > 0 ? JSON.stringify(Object.fromEntries(needs), null, 2) : '',
    ...(urls.length > 0 && { binaries: urls.map(([platform, file]) => ({ platform, ...file })) }),
  }
}
