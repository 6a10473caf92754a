import type { Distribution } from '@svc/contract'
import type { Missing } from './field.ts'

/** A way in which a plugin comes. */
export type DistributionType = Distribution['type']

/** One platform of a binary, as it is typed. */
export interface Binary {
  readonly platform: string
  readonly url: string
  readonly sha256: string
}

/** Where a plugin comes from, as it is typed: what one type does not ask for is kept for who comes back to another. */
export interface DistributionForm {
  readonly type: DistributionType
  readonly protocol: 'svc' | 'mcp'
  /** Whether an MCP server may ask for completions. */
  readonly sampling: boolean
  readonly path: string
  readonly package_name: string
  readonly package_version: string
  /** The digest of an npm package, as `npm view` prints it. */
  readonly integrity: string
  readonly executable_name: string
  readonly binaries: readonly Binary[]
  /** What it needs to run, as JSON: `args`, `env`, `cwd`, `start_ms` and `session`; empty: nothing. */
  readonly needs: string
}

/** A field of one line that a type asks for. */
export interface DistributionField {
  readonly name: 'path' | 'package_name' | 'package_version' | 'integrity' | 'executable_name'
  readonly label: string
  readonly help: string
  readonly isNeeded: boolean
}

/** What a type is called, what it means, and what it asks for; `binary` asks for its platforms besides. */
export interface DistributionRow {
  readonly label: string
  readonly help: string
  readonly fields: readonly DistributionField[]
}

const executable = (isNeeded: boolean, help: string): DistributionField => ({
  name: 'executable_name',
  label: 'Executable',
  help,
  isNeeded,
})
const packaged = (
  label: string,
  help: string,
  example: string,
  more: readonly DistributionField[] = [],
): DistributionRow => ({
  label,
  help,
  fields: [
    { name: 'package_name', label: 'Package', help: `Its name alone, such as ${example}.`, isNeeded: true },
    {
      name: 'package_version',
      label: 'Version of the package',
      help: 'One version, such as 1.0.0. What others see of npm, uv or pipx needs one. Empty: the newest.',
      isNeeded: false,
    },
    ...more,
    executable(false, 'The command of the package that is started. Empty: the one that it is named after.'),
  ],
})

/** Every type, in the order in which they are offered. */
export const distributionRows: Readonly<Record<DistributionType, DistributionRow>> = {
  npm: packaged('npm', 'A package of npm; the machine needs Node and npm.', 'weather-plugin', [
    {
      name: 'integrity',
      label: 'Digest of that version',
      help: 'What npm view NAME@VERSION dist.integrity prints: sha512-… . It changes with the version. Empty: not compared.',
      isNeeded: false,
    },
  ]),
  uv: packaged('uv', 'A Python package that uv installs.', 'weather-plugin'),
  pipx: packaged('pipx', 'A Python package that pipx installs.', 'weather-plugin'),
  homebrew: packaged('Homebrew', 'A formula of Homebrew.', 'weather'),
  binary: {
    label: 'Binary',
    help: 'A program for each platform, downloaded and checked against its sum.',
    fields: [executable(true, 'The name of the file that is started.')],
  },
  local: {
    label: 'Local file',
    help: 'A file that lies on the machine of the runner already.',
    fields: [
      {
        name: 'path',
        label: 'Path',
        help: 'Absolute, of a program, a script or an archive (.tar.gz, .tgz, .zip).',
        isNeeded: true,
      },
      executable(false, 'The file in the archive that is started.'),
    ],
  },
}

/** The platforms that a binary may be for. */
export const platforms = ['linux', 'darwin', 'win32'].flatMap((os) =>
  ['x64', 'arm64'].map((cpu) => `${os}-${cpu}`),
)

const emptyBinary: Binary = { platform: 'linux-x64', url: '', sha256: '' }

/** The form before anything is typed. */
export const emptyDistribution: DistributionForm = {
  type: 'npm',
  protocol: 'svc',
  sampling: false,
  path: '',
  package_name: '',
  package_version: '',
  integrity: '',
  executable_name: '',
  binaries: [emptyBinary],
  needs: '',
}

/** One more platform: the first that is not there. */
export function withBinary({ binaries }: DistributionForm): readonly Binary[] {
  const free = platforms.find((one) => binaries.every(({ platform }) => platform !== one))
  return free === undefined ? binaries : [...binaries, { ...emptyBinary, platform: free }]
}

/** What was typed of what it needs to run; `null`: it is not a JSON object. */
export function readNeeds(text: string): object | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** What must be typed and is not. */
export function missingFields(form: DistributionForm): readonly Missing[] {
  const { label, fields } = distributionRows[form.type]
  const lines: readonly Missing[] = fields
    .filter(({ name, isNeeded }) => isNeeded && form[name].trim() === '')
    .map(({ name, label: what }) => ({ field: name, sentence: `${what}, for the distribution ${label}` }))
  if (readNeeds(form.needs) === null)
    return [...lines, { field: 'needs', sentence: 'What it needs to run, as a JSON object' }]
  const isBare = form.binaries.some(({ url, sha256 }) => url.trim() === '' || sha256.trim() === '')
  if (form.type === 'binary' && (isBare || form.binaries.length === 0))
    return [...lines, { field: 'binaries', sentence: 'URL and SHA-256 of each platform' }]
  return lines
}
