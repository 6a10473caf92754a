import { readdir, readFile, readlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import { checkIntegrity, needsOthers } from './integrity.ts'
import type { ManagerSettings } from './manager-settings.ts'
import { packageBins } from './package-bin.ts'
import { problem } from './problem.ts'

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
export interface Order {
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
interface Manager extends ManagerSettings {
  readonly program: string
  /** Where to get it. */
  readonly from: string
  /** The first version that obeys these options: an older one ignores options that it does not know. */
  readonly since?: string
  /** Whether it can be told to leave out what was published after a time. */
  readonly freezes?: true
  /** It puts things where everybody on the machine finds them, and so cannot be walled. */
  readonly isShared?: true
  /** What comes before the name of the package; `--` comes in between. */
  readonly args: (order: Order) => readonly string[]
  readonly env: (folder: string) => Readonly<Record<string, string>>
  /** How a version is added to a name. */
  readonly at: string
  readonly found: (order: Order, ask: (...args: string[]) => Promise<string>) => Promise<PackageContent>
}

/**
 * What a package needs comes from the registry: a folder would be a link out of the install, a URL any host that the
 * machine reaches, and npm runs the scripts of a repository whatever its options say.
 */
const REGISTRY_ALONE = ['git', 'remote', 'file', 'directory'].map((source) => `--allow-${source}=none`)

const PYPI = ['pypi.org', 'files.pythonhosted.org']

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
    expands: true,
    passed: ['npm_config_registry', 'NPM_CONFIG_REGISTRY'],
    // Registries of scopes, certificates, patience, and what a registry is signed in to with: `npm_config_//host/:_authToken`.
    passedLike: /^npm_config_(@.+:registry|ca|strict_ssl|fetch_\w+|maxsockets|\/\/.+)$/i,
    files: {
      npm_config_cafile: [],
      NPM_CONFIG_CAFILE: [],
      NPM_CONFIG_GLOBALCONFIG: ['/etc/npmrc'],
      // It runs nothing of a package, so that the settings of the user, which may hold a token, may be there.
      NPM_CONFIG_USERCONFIG: ['~/.npmrc'],
    },
    indexes: ['registry.npmjs.org'],
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
    env: (folder) => ({ npm_config_cache: cacheIn(folder) }),
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
    passed: [
      'UV_DEFAULT_INDEX',
      'UV_INDEX',
      'UV_INDEX_URL',
      'UV_EXTRA_INDEX_URL',
      'UV_INSECURE_HOST',
      'UV_PYTHON',
      'UV_FIND_LINKS',
      'UV_NO_INDEX',
      'UV_INDEX_STRATEGY',
      'UV_HTTP_TIMEOUT',
      'UV_PYTHON_INSTALL_MIRROR',
    ],
    passedLike: /^UV_INDEX_\w+_(USERNAME|PASSWORD)$/,
    files: { SSL_CLIENT_CERT: [], UV_CONFIG_FILE: ['~/.config/uv/uv.toml', '/etc/uv/uv.toml'] },
    // The last two have the Pythons that it may download.
    indexes: [...PYPI, 'github.com', 'release-assets.githubusercontent.com'],
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
    passed: [
      'PIP_INDEX_URL',
      'PIP_EXTRA_INDEX_URL',
      'PIP_TRUSTED_HOST',
      'PIP_FIND_LINKS',
      'PIP_NO_INDEX',
      'PIP_DEFAULT_TIMEOUT',
      'PIP_TIMEOUT',
      'PIP_RETRIES',
    ],
    files: {
      PIP_CLIENT_CERT: [],
      PIP_CONFIG_FILE: [
        '~/.config/pip/pip.conf',
        '~/.pip/pip.conf',
        '/etc/pip.conf',
        '/etc/xdg/pip/pip.conf',
      ],
    },
    indexes: PYPI,
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
    passed: [
      'HOMEBREW_PREFIX',
      'HOMEBREW_CACHE',
      'HOMEBREW_API_DOMAIN',
      'HOMEBREW_ARTIFACT_DOMAIN',
      'HOMEBREW_BOTTLE_DOMAIN',
    ],
    files: {},
    indexes: [],
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

/** A package with its version. */
export const named = ({ package_name, version }: PackageDistribution, at: string) =>
  version === undefined ? package_name : `${package_name}${at}${version}`
