import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { basename, delimiter, extname, isAbsolute, join, resolve } from 'node:path'
import { interpreterFault } from './binary-fault.ts'
import { findOnPath } from './program.ts'
import { headOf, shebangOf, startedByEnv } from './program-text.ts'

const ANY_X = 0o111

/**
 * Why the first word of a command cannot be started, as a sentence without its full stop, with what helps; nothing where
 * the program is simply not there, or nothing is known against it.
 */
export function startFault(name: string, cwd: string, path: string | undefined): string | undefined {
  if (name === 'node') return undefined
  if (name.includes('/')) return fileFault(name, resolve(cwd, name), cwd, path)
  const found = findOnPath(name, cwd, path)
  if (found !== undefined) return fileFault(found, found, cwd, path)
  for (const folder of (path ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    // Of a link that leads nowhere too: what is there by this name is what was meant.
    const fault = existing(file) && notRunnable(file, file)
    if (fault) return fault
  }
  const isHere = existing(join(cwd, name))
  return isHere ? `${name} is in its folder and not on PATH: write ./${name}` : undefined
}

function fileFault(name: string, file: string, cwd: string, path: string | undefined): string | undefined {
  return notRunnable(name, file) ?? headFault(name, file, cwd, path)
}

/** What is wrong with a file, whatever is in it. */
function notRunnable(name: string, file: string): string | undefined {
  const found = following(file)
  if (!found) {
    const to = linkTarget(file)
    return to === undefined ? undefined : `${name} is a link to ${to}, which is not there`
  }
  if (found.isDirectory()) return `${name} is a folder and not a program`
  if (!found.isFile()) return `${name} is not a file`
  if ((found.mode & ANY_X) === 0 && process.platform !== 'win32')
    return `${name} has no x bit: chmod +x ${name}`
  try {
    accessSync(file, constants.X_OK)
    return undefined
  } catch {
    return `${name} may not be run: the user of the runner has no right to, or its disk is mounted with noexec`
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const MAGICS: readonly (readonly [string, string])[] = [
  ['4d5a', 'Windows'],
  ['cffaedfe', 'macOS'],
  ['cafebabe', 'macOS'],
]
/** What scripts without a first line are begun with. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.ts': 'node',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.php': 'php',
  '.lua': 'lua',
}

/** What is wrong with how a file begins. */
function headFault(name: string, file: string, cwd: string, path: string | undefined): string | undefined {
  const head = headOf(file)
  if (head.subarray(0, 3).equals(BOM) && head.subarray(3, 5).toString('latin1') === '#!')
    return `${name} begins with a byte order mark before #!: save it as UTF-8 without one`
  const shebang = shebangOf(head)
  if (shebang) return shebangFault(name, shebang, cwd, path)
  const foreign = MAGICS.find(([magic]) => head.toString('hex').startsWith(magic))
  // The class files of Java begin as programs of macOS do.
  if (foreign && process.platform === 'linux' && !file.endsWith('.class'))
    return `${name} is a program of ${foreign[1]}, and this machine has ${process.platform}`
  const interpreter = INTERPRETERS[extname(file).toLowerCase()]
  if (interpreter !== undefined && head.length > 0)
    return `${name} has no first line that names its interpreter: begin it with #!/usr/bin/env ${interpreter}, or start it by ${interpreter} ${basename(name)}`
  return interpreterFault(name, file)
}

function shebangFault(
  name: string,
  [interpreter, ...words]: readonly [string, ...string[]],
  cwd: string,
  path: string | undefined,
): string | undefined {
  if ([interpreter, ...words].some((word) => word.endsWith('\r')))
    return `the lines of ${name} end in CRLF, so that its first one names ${JSON.stringify([interpreter, ...words].at(-1))}: save it with LF`
  if (isAbsolute(interpreter) && !existing(interpreter))
    return `${name} is started by ${interpreter}, which is not on this machine`
  const started = startedByEnv(interpreter, words)
  if (started !== undefined && findOnPath(started, cwd, path) === undefined)
    return `${name} is started by ${started}, which is not on PATH`
  return undefined
}

function existing(file: string): boolean {
  try {
    lstatSync(file)
    return true
  } catch {
    return false
  }
}

function following(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
