import type { Settings } from './kernel/services.ts'
import { DEV_MODEL } from './models/providers/dev-model.ts'
import type { ModelSettings } from './models/providers/model-settings.ts'
import type { HostOptions } from './settings.ts'

/** What a host says of itself at its start: what it serves, what it keeps, and what it lacks, each in a few words. */
export interface HostFacts {
  /** The apps that every user has. */
  readonly apps: string
  /** The plugins that every app may declare. */
  readonly tools: string
  /** Where records, events and files are, and whether they outlive the process. */
  readonly state: string
  /** How users sign in. */
  readonly sign_in: string
  /** Where tools run. */
  readonly runner: string
  /** The models that it has. */
  readonly models: string
  /** The path that it is behind. */
  readonly base_path: string
  /** Methods that nothing is behind on this host. */
  readonly lacks: string
}

/** Says what a host was made of. */
export function hostFacts(
  options: HostOptions,
  { settings, models, missing }: { settings: Settings; models: ModelSettings; missing: ReadonlySet<string> },
): HostFacts {
  const { apps = [], plugins = [] } = options
  return {
    apps: listed(apps.map(({ dir }) => dir)),
    tools: listed(plugins.map(({ slug }) => slug)),
    state: stateOf(options),
    sign_in: signInOf(settings, options),
    runner: runnerOf(options),
    models: modelsOf(models),
    base_path: settings.basePath || '/',
    lacks: listed([...missing]),
  }
}

/** The same in one line, for the log. */
export const factsLine = (facts: HostFacts): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join('; ')

const listed = (names: readonly string[]): string => names.join(', ') || 'none'

function stateOf({ store, bus, blobs, secret }: HostOptions): string {
  const given = Object.entries({ store, bus, blobs }).flatMap(([name, port]) => (port ? [name] : []))
  const lost = Object.entries({ store, bus, blobs }).flatMap(([name, port]) => (port ? [] : [name]))
  if (lost.length === 0 && store?.dir !== undefined) return `in the folder ${store.dir}`
  if (lost.length === 0 && store?.place !== undefined) return store.place
  if (given.length === 0) return 'in memory: gone with the process'
  const memory = lost.length > 0 ? `; ${lost.join(' and ')} in memory: gone with the process` : ''
  const tokens = secret === undefined ? '; tokens end with the process' : ''
  return `in the ${given.join(', ')} that createHost was given${memory}${tokens}`
}

function signInOf({ signIn }: Settings, { authenticate, pageTokens }: HostOptions): string {
  if (authenticate) return pageTokens ? 'by authenticate, and by tokens of pages' : 'by authenticate'
  if (pageTokens && signIn === 'none') return 'by tokens of pages'
  return signIn === 'dev' ? 'by name, for whoever has the start token' : 'none: nobody can sign in'
}

function runnerOf({ runner }: HostOptions): string {
  if (runner === null) return 'none: tools run on machines that users enrol'
  return runner ? 'the one that createHost was given' : 'in this process'
}

function modelsOf({ models }: ModelSettings): string {
  if (models === null) return 'none'
  return listed(
    Object.entries(models).map(([name, { model }]) =>
      model.modelId === DEV_MODEL
        ? 'the development model, which only repeats'
        : `${name} (${model.modelId})`,
    ),
  )
}
