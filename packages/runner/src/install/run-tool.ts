import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { removeTree } from '@svc/node'
import { type Cell, HOME } from '../isolation/bubblewrap.ts'
import type { Keeper } from '../isolation/keeper.ts'
import { findProgram } from '../isolation/program.ts'
import type { Shares } from '../isolation/shares.ts'
import { viewOf } from '../isolation/view.ts'
import { asBuffer } from '../lines/line-text.ts'
import { openChild } from '../processes/child.ts'
import { environment } from '../processes/environment.ts'
import type { Folders } from '../processes/folders.ts'
import { watchBounds } from '../processes/watch.ts'
import { lastLines, problem } from './problem.ts'

/**
 * Runs a program of this machine to its end and returns the last of its output. Throws where it fails or `signal`
 * fires.
 */
export type RunTool = (job: ToolJob) => Promise<string>

/** One run of a package manager. */
export interface ToolJob {
  readonly program: string
  readonly args: readonly string[]
  /** A fresh folder: it works there, has its temporary files there, and writes nowhere else where it is walled. */
  readonly folder: string
  /** Whether it puts what it installs into that folder; one that does not cannot be walled. */
  readonly isWalled: boolean
  /** Variables whose value is a file that it reads, such as its settings. */
  readonly files: readonly string[]
  /** Variables of the runner's own environment that it sees beside those of every plugin. */
  readonly passed: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Where a tool runs: as plugins do, so that all it starts ends with it, and what a package has it start sees no more. */
export interface ToolParts {
  readonly keeper: () => Pick<Keeper, 'isolator' | 'toolIsolator'>
  readonly folders: Folders
  readonly shares: Shares
  readonly limits: Limits
  readonly newMark: () => string
  /** Called before each start. */
  readonly onStart: () => void
}

/** No user has this id: what all installers take together. */
const INSTALLS = ' installs'

/** Makes `RunTool`. */
export function toolRunner({ keeper, folders, shares, limits, newMark, onStart }: ToolParts): RunTool {
  return async ({ program, args, folder, passed, files, isWalled, env: added, signal }) => {
    const { isolator: best, toolIsolator } = keeper()
    const isolator = isWalled ? best : toolIsolator
    const cwd = join(folder, 'tmp')
    await mkdir(cwd, { recursive: true, mode: 0o700 })
    const mark = newMark()
    const env = environment(
      process.env,
      { folder: cwd, cache: undefined, mark, ...(isolator.walls && { home: HOME }) },
      { ...named(passed), ...named(files), ...added },
    )
    const file = findProgram(program, cwd, env.PATH)
    if (!file) throw problem(`${program} is not on this machine`)
    signal.throwIfAborted()
    onStart()
    const said = kept(limits)
    const told = kept(limits)
    const cell = isolator.walls ? cellOf(file, cwd) : undefined
    const child = openChild({
      cell,
      program: file,
      args,
      cwd,
      env,
      isolator,
      mark,
      limits,
      onLine: (line) => 'tooLong' in line || said.add(`${asBuffer(line)}\n`),
      onDeaf() {},
      onStderr: (stderr) => stderr.on('data', (chunk: Buffer) => told.add(chunk.toString())),
    })
    let over: string | undefined
    if (isolator.walls)
      watchBounds(child, [folder], { limits, share: shares.of(INSTALLS), isOnline: true }, (why) => {
        over = why
        void child.kill()
      })
    const kill = () => void child.kill()
    signal.addEventListener('abort', kill)
    // Its stdin ends at once: whoever asks a question there gets no answer, and does not wait for one.
    const ending = await child.retire(limits.INSTALL_TIMEOUT_MS)
    signal.removeEventListener('abort', kill)
    signal.throwIfAborted()
    // What stays there goes with the folder, or is sealed with it.
    await removeTree(cwd).catch(() => {})
    if (ending.exitCode === 0) return said.text()
    const home = homedir()
    // In a container it may be the root, which is in every path, or nothing.
    const names = new Map([[folder, '.'], [HOME, '~'], ...(home.length > 1 ? [[home, '~'] as const] : [])])
    const how = over ?? ending.problem ?? `it ended with ${ending.signal ?? `exit code ${ending.exitCode}`}`
    const lines = lastLines(told.text() || said.text(), names, limits)
    throw problem(`${program}: ${how}${lines && `: ${lines}`}`)

    /** It sees its program, its settings and its folder; and it is online, because where an index sends it is not known. */
    function cellOf(file: string, cwd: string): Cell {
      const { readable } = viewOf({ program: file, args: [], cwd }, env.PATH)
      const settings = files.flatMap((name) => env[name] ?? []).filter((path) => existsSync(path))
      return {
        view: { readable: [...new Set([...readable, ...settings])], writable: [] },
        reached: [],
        folder,
        cache: undefined,
        etc: folders.etc(),
        filter: folders.filter(),
        cwd,
        installed: [],
        hidden: [],
        isOnline: true,
      }
    }
  }
}

const named = (names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The end of a text that may be long. */
function kept({ INSTALL_OUTPUT_KEPT_BYTES: max }: Limits) {
  let text = ''
  return {
    add(more: string) {
      text = (text + more).slice(-max)
    },
    text: () => text,
  }
}
