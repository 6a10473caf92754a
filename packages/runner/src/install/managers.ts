import { readdir, readFile, readlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import { compareSemver, isSemver } from '@svc/contract/semver'
import { chooseStart } from './choose.ts'
import type { CommandPart } from './command-part.ts'
import { checkIntegrity, needsOthers } from './integrity.ts'
import { packageBins } from './package-bin.ts'
import { problem } from './problem.ts'
import type { RunTool, ToolJob } from './run-tool.ts'
import { startOf } from './start.ts'

/** A distribution that a package manager installs. */
export type PackageDistribution = Extract<Distribution, { package_name: string }>

/** What a package has put where. */
interface PackageContent {
  /** The executables by name, their paths from `root`. */
  readonly executables: ReadonlyMap<string, string>
  /** Where they are; the folder of the install where left out. */
  readonly root?: string
  /** The Python of its own environment. */
  readonly python?: string
}

/** What the manager is asked with. */
interface Order {
  readonly distribution: PackageDistribution
  readonly folder: string
  /** What was published later is not installed; left out: the newest that fits is. */
  readonly before: string | undefined
  readonly npmRegistry: string | undefined
  readonly limits: Limits
}

/**
 * A package manager: how it is called, and where it puts things. Install scripts never run
 * (docs/decisions/0095-installers-run-no-scripts.md).
 */
interface Manager {
  readonly program: string
  /** Where to get it. */
  readonly from: string
  /** The first version that obeys these options: an older one ignores options that it does not know. */
  readonly since?: string
  /** Whether it can be told to leave out what was published after a time. */
  readonly freezes?: true
  /** Its own settings in the environment, which a machine may need: indexes, proxies. */
  readonly passed: readonly string[]
  /** Those whose value is a file: settings and certificates. */
  readonly files: readonly string[]
  /** It puts things where everybody on the machine finds them, and so cannot be walled. */
  readonly isShared?: true
  /** What comes before the name of the package; `--` comes in between. */
  readonly args: (order: Order) => readonly string[]
  readonly env: (folder: string) => Readonly<Record<string, string>>
  /** How a version is added to a name. */
  readonly at: string
  readonly found: (order: Order, ask: (...args: string[]) => Promise<string>) => Promise<PackageContent>
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']

/**
 * What a package needs comes from the registry: a folder would be a link out of the install, a URL any host that the
 * machine reaches, and npm runs the scripts of a repository whatever its options say.
 */
const REGISTRY_ALONE = ['git', 'remote', 'file', 'directory'].map((source) => `--allow-${source}=none`)

const userSettings = () => process.env.NPM_CONFIG_USERCONFIG ?? join(homedir(), '.npmrc')

/** Of this one run: from a cache that packages share, one could leave code for another. It goes with the temporary files. */
const cacheIn = (folder: string) => join(folder, 'tmp', 'cache')

const registryOf = (url: string | undefined) => (url === undefined ? [] : ['--registry', url])

/**
 * Refuses what needs other packages from a registry that does not tell when things were published: npm then takes the
 * newest, and does not say so. Errors: `plug_unavailable`.
 */
async function checkPublishTimes(
  { folder, distribution, npmRegistry }: Order,
  root: string,
  ask: (...args: string[]) => Promise<string>,
): Promise<void> {
  if (!(await needsOthers(folder, root))) return
  const { version = '' } = distribution
  // Of a single value npm would print no name.
  const asked = ['--', named(distribution, '@'), 'name', `time[${version}]`]
  const told: Readonly<Record<string, unknown>> = JSON.parse(
    await ask('view', '--json', '--loglevel=error', ...registryOf(npmRegistry), ...asked),
  )
  if (typeof told[`time[${version}]`] === 'string') return
  throw problem(
    'its registry does not return publish times, so its dependencies cannot be frozen',
    'Publish the package with an npm-shrinkwrap.json (npm shrinkwrap), or with bundled dependencies.',
  )
}

/** The executables that links in `bin` lead to, in the environment of a Python package. */
async function linked(folder: string): Promise<PackageContent> {
  const bin = join(folder, 'bin')
  const entries = await readdir(bin).catch(() => [])
  const targets = await Promise.all(
    entries.map(async (name) => {
      const to = await readlink(join(bin, name)).catch(() => name)
      return [name, relative(folder, resolve(bin, to))] as const
    }),
  )
  const executables = new Map(targets.filter(([, path]) => !path.startsWith('..')))
  const [first] = executables.values()
  return { executables, ...(first !== undefined && { python: join(dirname(first), 'python') }) }
}

/** The package managers by the type of a distribution. */
export const managers: Readonly<Record<PackageDistribution['type'], Manager>> = {
  npm: {
    program: 'npm',
    from: 'https://nodejs.org',
    since: '11.14.0',
    freezes: true,
    passed: [...PROXIES, 'npm_config_registry'],
    files: ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'NPM_CONFIG_USERCONFIG'],
    args: ({ folder, before, npmRegistry }) => [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--omit=dev',
      ...REGISTRY_ALONE,
      '--no-update-notifier',
      '--no-package-lock',
      '--loglevel=error',
      '--prefix',
      folder,
      ...(before === undefined ? [] : [`--before=${before}`]),
      ...registryOf(npmRegistry),
    ],
    // It runs nothing of a package, so that the settings of the user, which may hold a token, may be there.
    env: (folder) => ({ NPM_CONFIG_USERCONFIG: userSettings(), npm_config_cache: cacheIn(folder) }),
    at: '@',
    async found(order, ask) {
      const { folder, distribution, limits } = order
      const root = join('node_modules', distribution.package_name)
      if (order.before !== undefined) await checkPublishTimes(order, root, ask)
      if ('integrity' in distribution) await checkIntegrity(folder, root, distribution)
      const bins = packageBins(await readFile(join(folder, root, 'package.json'), 'utf8'), limits)
      return { executables: new Map([...bins].map(([name, path]) => [name, join(root, path)])) }
    },
  },
  uv: {
    program: 'uv',
    from: 'https://docs.astral.sh/uv',
    freezes: true,
    passed: [...PROXIES, 'UV_DEFAULT_INDEX', 'UV_INDEX', 'UV_INDEX_URL', 'UV_PYTHON'],
    files: ['SSL_CERT_FILE'],
    // A source distribution would run its own code to be built.
    args: ({ before }) => [
      'tool',
      'install',
      '--no-build',
      '--no-progress',
      ...(before === undefined ? [] : ['--exclude-newer', before]),
    ],
    env: (folder) => ({
      UV_TOOL_DIR: join(folder, 'tools'),
      UV_TOOL_BIN_DIR: join(folder, 'bin'),
      UV_CACHE_DIR: cacheIn(folder),
      // One that it has to download is a part of the install.
      UV_PYTHON_INSTALL_DIR: join(folder, 'python'),
    }),
    at: '==',
    found: ({ folder }) => linked(folder),
  },
  pipx: {
    program: 'pipx',
    from: 'https://pipx.pypa.io',
    passed: [...PROXIES, 'PIP_INDEX_URL'],
    files: ['SSL_CERT_FILE', 'PIP_CONFIG_FILE', 'PIP_CERT'],
    args: () => ['install', '--pip-args=--only-binary=:all:'],
    env: (folder) => ({
      PIPX_HOME: join(folder, 'home'),
      PIPX_BIN_DIR: join(folder, 'bin'),
      PIPX_MAN_DIR: join(folder, 'man'),
      PIP_CACHE_DIR: cacheIn(folder),
    }),
    at: '==',
    found: ({ folder }) => linked(folder),
  },
  homebrew: {
    program: 'brew',
    from: 'https://brew.sh',
    passed: [...PROXIES, 'HOMEBREW_PREFIX', 'HOMEBREW_CACHE'],
    files: ['SSL_CERT_FILE'],
    isShared: true,
    args: () => ['install', '--formula', '--skip-post-install'],
    env: () => ({ HOMEBREW_NO_AUTO_UPDATE: '1', HOMEBREW_NO_ANALYTICS: '1', HOMEBREW_NO_ENV_HINTS: '1' }),
    at: '@',
    async found({ distribution }, ask) {
      const root = (await ask('--prefix', named(distribution, '@'))).trim()
      const names = await readdir(join(root, 'bin')).catch(() => [])
      return { root, executables: new Map(names.map((name) => [name, join('bin', name)])) }
    },
  },
}

const named = ({ package_name, version }: PackageDistribution, at: string) =>
  version === undefined ? package_name : `${package_name}${at}${version}`

/** Installs a package into a fresh folder, and returns what starts it. */
export async function fillByManager(
  order: Order,
  run: RunTool,
  signal: AbortSignal,
): Promise<readonly CommandPart[]> {
  const { distribution, folder } = order
  const { program, passed, files, isShared = false, at, since, ...manager } = managers[distribution.type]
  const env = manager.env(folder)
  const ask = (...args: string[]) =>
    run({ program, args, folder, passed, files, isWalled: !isShared, env, signal } satisfies ToolJob)
  if (since !== undefined) judgeAge(distribution.type, since, (await ask('--version')).trim())
  await ask(...manager.args(order), '--', named(distribution, at))
  const { executables, root, python } = await manager.found(order, ask)
  const path = chooseStart(executables, distribution.executable_name, distribution.package_name)
  const words = await startOf(root ?? folder, path, python)
  return root === undefined
    ? words
    : words.map((word) => (typeof word === 'string' ? word : join(root, word.in)))
}

function judgeAge(type: PackageDistribution['type'], since: string, version: string): void {
  if (isSemver(version) && compareSemver(version, since) >= 0) return
  const { program } = managers[type]
  throw problem(
    `${program} must be at least ${since}, got ${version}`,
    'An older one may run install scripts: npm install --global npm@latest.',
  )
}

/** The refusal where the package manager of a distribution is not on this machine. */
export const notHere = ({ type }: PackageDistribution) =>
  problem(`${managers[type].program} is not on this machine`, `Install it from ${managers[type].from}.`)
