/** The packages that may run a script of their own when they are installed, each with why. */
export const builds: Readonly<Record<string, string>> = {
  esbuild: 'checks that its own program runs on this machine',
}

/** Where the hash of each package of a pnpm lockfile is missing, or it comes from elsewhere than the registry. */
export function lockFindings(lockfile: string): string[] {
  const packages = lockfile.split('\npackages:\n')[1]?.split('\nsnapshots:\n')[0]
  if (packages === undefined) return ['the lockfile has no section "packages"']
  return packages
    .split(/\n\n+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      const [name = ''] = entry.split('\n')
      const pinned = /resolution: \{integrity: sha512-[\w+/=]+\}/.test(entry)
      return pinned ? [] : [`${name.replace(/:$/, '')} is not pinned by a sha512 of the registry`]
    })
}

/** A package with a program for one system, of which there is one for each. */
const OF_LINUX = /^ {2}'?(.*)linux-x64(?:-gnu)?(@[^':]+)'?:$/gm
const SYSTEMS = ['darwin-arm64', 'win32-x64']

/** Which programs of a pnpm lockfile are there for Linux and not for another system: nobody could install them there. */
export function systemFindings(lockfile: string): string[] {
  const packages = lockfile.split('\npackages:\n')[1]?.split('\nsnapshots:\n')[0] ?? ''
  return [...packages.matchAll(OF_LINUX)].flatMap(([, name = '', version = '']) => {
    const own = packages.split('\n').filter((line) => line.includes(version))
    // Node's own packages are installed by npm where they are missing.
    return SYSTEMS.filter(
      (system) => name !== 'node-' && !own.some((line) => line.includes(name + system)),
    ).map((system) => `${name}${system}${version} is missing; run: pnpm install --fix-lockfile`)
  })
}

/** The packages that a pnpm-workspace.yaml lets build and that nobody has given a reason for, and the other way round. */
export function buildFindings(workspace: string): string[] {
  const [, block = ''] = /\nallowBuilds:\n((?: {2}.*\n?)*)/.exec(workspace) ?? []
  const allowed = [...block.matchAll(/^ {2}'?([^':]+)'?: true$/gm)].map(([, name = '']) => name)
  return [
    ...allowed
      .filter((name) => !Object.hasOwn(builds, name))
      .map((name) => `${name} may run scripts and has no reason`),
    ...Object.keys(builds)
      .filter((name) => !allowed.includes(name))
      .map((name) => `${name} has a reason to run scripts and may not`),
  ]
}

/** Which packages of an npm lockfile have no sha512. */
export function npmLockFindings(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, { integrity?: string }> }
  return Object.entries(packages)
    .filter(([name, { integrity = '' }]) => name !== '' && !integrity.startsWith('sha512-'))
    .map(([name]) => `${name} is not pinned by a sha512`)
}
