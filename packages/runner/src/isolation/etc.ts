import { cpSync, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Of `/etc`, as folders, whatever is there: certificates, and where names of programs lead to. */
export const ETC_FOLDERS = ['ssl', 'pki', 'ca-certificates', 'alternatives', 'crypto-policies']

/**
 * Settings that programs of the system do not start without, or find their libraries by; a distribution puts nothing else
 * there. `*` is any part of a name.
 */
const OF_PROGRAMS = [
  // What the libraries of the system look at.
  'ld.so.cache',
  'localtime',
  'nsswitch.conf',
  'mime.types',
  'os-release',
  'services',
  'protocols',
  // The JVM, of which Debian links the half from its own folder.
  'java',
  'java-*',
  // PHP as a command: what a web server has is in folders beside it.
  'php.ini',
  'php.d',
  'php/php.ini',
  'php/conf.d',
  'php/*/cli',
  'php/*/mods-available',
  'php8*',
  'perl',
  'python3*',
  'R',
  'mono',
  'dotnet',
  // Fonts, browsers, pictures and documents.
  'fonts',
  'chromium*',
  'firefox*',
  'ImageMagick-*',
  'xml',
]

/** Folders of keys among them, which are empty behind walls. */
const OF_KEYS = ['/etc/ssl/private', '/etc/pki/tls/private']

/** A larger one is no setting. */
const FILE_MAX_BYTES = 4_194_304

/** Copies those settings into a folder, so that one mount is enough for all of them. What cannot be read is left out. */
export function copySettings(folder: string): void {
  for (const path of OF_PROGRAMS.flatMap((pattern) => matches('/etc', pattern))) {
    try {
      const from = realpathSync(`/etc/${path}`)
      cpSync(from, join(folder, path), { recursive: true, verbatimSymlinks: true, filter: isSetting })
    } catch {}
  }
}

/** A folder, a link or a file that every user of the machine may read. */
function isSetting(path: string): boolean {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return true
  if (found.isDirectory()) return (found.mode & 0o005) === 0o005
  return found.isFile() && (found.mode & 0o004) !== 0 && found.size <= FILE_MAX_BYTES
}

/** Where nothing is seen of what those mounts show. */
export const ETC_HIDDEN: readonly string[] = OF_KEYS.filter((path) => existsSync(path))

/** The paths below a folder, in order, whose parts match those of a pattern. */
function matches(folder: string, pattern: string): readonly string[] {
  const [first = '', ...rest] = pattern.split('/')
  const form = new RegExp(`^${first.replace(/[.]/g, '\\.').replace('*', '.*')}$`)
  const names = namesIn(folder).filter((name) => form.test(name))
  if (rest.length === 0) return names
  return names.flatMap((name) => matches(`${folder}/${name}`, rest.join('/')).map((one) => `${name}/${one}`))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
