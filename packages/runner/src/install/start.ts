import { access, chmod, constants, open, realpath, stat } from 'node:fs/promises'
import { basename, extname, join, sep } from 'node:path'
import type { CommandPart } from './command-part.ts'
import { fault } from './problem.ts'

/** Scripts by their ending, and what runs them. */
const interpreters: ReadonlyMap<string, string> = new Map([
  ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'].map((ending) => [ending, 'node'] as const),
  ['.py', 'python3'],
])

/** What runs a script of this name, or nothing: it may still be a program. */
export const interpreterOf = (name: string): string | undefined =>
  interpreters.get(extname(name).toLowerCase())

/** The first bytes of programs that the kernel starts. */
const magics: Readonly<Record<string, readonly string[]>> = {
  linux: ['7f454c46'],
  darwin: ['cffaedfe', 'cafebabe', 'cafebabf'],
  win32: ['4d5a'],
}
const HEAD_BYTES = 256
const SHEBANG = /^#!\s*(\S+)(?:[^\S\n]+(\S+))?[^\S\n]*$/m
const PYTHON = /^#!.*python|^#!.*\n'''exec'/

/** What starts the file at `path` of an install, its mode put right. `python` is the one of its own environment. */
export async function startOf(
  folder: string,
  path: string,
  python?: string,
): Promise<readonly CommandPart[]> {
  const file = join(folder, path)
  const [real, root] = await Promise.all([realpath(file).catch(() => null), realpath(folder)])
  if (!real?.startsWith(root + sep) || !(await stat(real)).isFile())
    throw fault('no_executable', `what it names to be started, ${path}, is not there`)
  const by = interpreterOf(path)
  if (by) return [by, { in: path }]
  const head = await headOf(file)
  const text = head.toString('latin1')
  if (python !== undefined && PYTHON.test(text)) return [{ in: python }, { in: path }]
  if (startsByNode(text)) return ['node', { in: path }]
  if (!isProgram(head)) throw notStartable(basename(path))
  // What can be started may be used by others as well, as what homebrew keeps is.
  await access(file, constants.X_OK).catch(() => chmod(file, 0o700))
  return [{ in: path }]
}

/** Whether the kernel of this machine can start what begins so. */
const isProgram = (head: Buffer): boolean =>
  head.toString('latin1', 0, 2) === '#!' ||
  (magics[process.platform] ?? []).some((magic) => head.toString('hex').startsWith(magic))

/** The refusal of a file that is neither program nor script. */
const notStartable = (name: string) =>
  fault(
    'not_executable',
    `${name} is not a program of ${process.platform} and no script whose first line begins with #!`,
    `Name a program, an archive, or a script that ends in ${[...interpreters.keys()].join(', ')}.`,
  )

/** Through `env` a script would get the machine's own Node, which may be too old. */
function startsByNode(text: string): boolean {
  const [, program = '', argument = ''] = SHEBANG.exec(text.slice(0, text.indexOf('\n') + 1)) ?? []
  return argument === 'node' ? program.endsWith('/env') : argument === '' && program.endsWith('/node')
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
