import type { Limits } from '@svc/contract/limits'

type PathLimits = Pick<Limits, 'ARCHIVE_NAME_MAX_BYTES' | 'ARCHIVE_DEPTH_MAX'>

interface PathRule {
  readonly broken: (path: string, limits: PathLimits) => boolean
  readonly says: (limits: PathLimits) => string
}

const isPart = (part: string) => part !== '' && part !== '.' && part !== '..'

/** What a path in an archive must be (docs/decisions/0014-archives.md). The first broken rule speaks. */
const rules: readonly PathRule[] = [
  { broken: (path) => path === '', says: () => 'must not be empty' },
  // Format characters and lone surrogates too: they hide or lose part of the name.
  {
    broken: (path) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(path),
    says: () => 'must not have a control character',
  },
  { broken: (path) => path.includes('\\'), says: () => 'must not have a backslash' },
  { broken: (path) => path.startsWith('/'), says: () => 'must be relative' },
  { broken: (path) => /^[a-z]:/i.test(path), says: () => 'must not begin with a drive letter' },
  {
    broken: (path) => !path.split('/').every(isPart),
    says: () => 'must not have an empty part, "." or ".."',
  },
  {
    broken: (path, limits) => Buffer.byteLength(path) > limits.ARCHIVE_NAME_MAX_BYTES,
    says: (limits) => `must have at most ${limits.ARCHIVE_NAME_MAX_BYTES} bytes`,
  },
  {
    broken: (path, limits) => path.split('/').length > limits.ARCHIVE_DEPTH_MAX,
    says: (limits) => `must be at most ${limits.ARCHIVE_DEPTH_MAX} levels deep`,
  },
]

/** What is wrong with a path, as the second half of a sentence; `null` for a good one. */
export const pathProblem = (path: string, limits: PathLimits): string | null =>
  rules.find((rule) => rule.broken(path, limits))?.says(limits) ?? null

/** Names of devices on Windows, with any ending. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])(\.|$)/i

/** What keeps this system from writing a path of an archive, as the second half of a sentence; `null` where nothing does. */
export function diskNameProblem(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== 'win32') return null
  const parts = path.split('/')
  if (parts.some((part) => DEVICE.test(part))) return 'has a name that Windows keeps for a device'
  if (parts.some((part) => /[. ]$/.test(part)))
    return 'has a name that ends in a full stop or a space, which Windows drops'
  return /[<>:"|?*]/.test(path) ? 'has a character that names have not on Windows' : null
}

/** The name under which two paths are one on a machine that ignores case and composes accents. */
export const foldPath = (path: string): string =>
  path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/** A path in a sentence: shortened, so that a hostile name does not fill the answer. */
export const shown = (path: string): string =>
  JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)
