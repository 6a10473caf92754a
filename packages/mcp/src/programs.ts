import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** The system, and how its disk is looked at. */
export interface Machine {
  /** The system; default: this one. */
  readonly platform?: NodeJS.Platform
  /** Whether a file can be started. */
  readonly isRunnable?: (file: string) => boolean
  /** Reads a text. */
  readonly read?: (file: string) => string
}

/** How programs end; what ends in `.cmd` is a text that only a shell starts. */
const ENDINGS = { windows: ['.exe', '.cmd', ''], others: [''] } as const

/** How a command file of npm or pnpm names the script that it starts; npm's own first names one that looks for another npm. */
const SCRIPT = /%(?:~dp0|dp0%)[\\/]?([^"%\r\n]+(?<!npm-prefix)\.[cm]?js)"/

/** Finds the file behind the first word of a command, as the system does, or returns nothing. */
export function findOnPath(
  name: string,
  cwd: string,
  path: string | undefined,
  { platform = process.platform, isRunnable = runnable }: Machine = {},
): string | undefined {
  const isWindows = platform === 'win32'
  const { delimiter, join, resolve } = isWindows ? win32 : posix
  const isPath = name.includes('/') || (isWindows && name.includes('\\'))
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = isPath ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name))
  return places
    .flatMap((place) => ENDINGS[isWindows ? 'windows' : 'others'].map((ending) => place + ending))
    .find(isRunnable)
}

/**
 * The words that start a file without a shell. A command file of Windows, as npm makes them of what packages bring, becomes
 * Node and its script: no shell reads the words that follow. One that is something else cannot be started.
 */
export function wordsOf(
  file: string,
  { platform = process.platform, read = (file) => readFileSync(file, 'utf8') }: Machine = {},
): readonly [string, ...string[]] {
  if (platform !== 'win32' || !/\.cmd$/i.test(file)) return [file]
  const [, script] = SCRIPT.exec(read(file)) ?? []
  return script === undefined ? [file] : [process.execPath, win32.join(win32.dirname(file), script)]
}

/**
 * Sends a signal to a process and all of its group. Windows has neither: what the process started is found by its parentage,
 * while it lives, and all of it is ended. What is gone already is fine.
 */
export function signalGroup(
  pid: number,
  name: NodeJS.Signals,
  {
    platform = process.platform,
    kill = process.kill,
    run = spawnSync,
  }: {
    /** The system; default: this one. */
    readonly platform?: NodeJS.Platform
    /** Sends a signal; a number below zero means a group. */
    readonly kill?: (pid: number, name: NodeJS.Signals) => unknown
    /** Runs a program to its end. */
    readonly run?: (
      program: string,
      args: string[],
      options: { windowsHide: true; stdio: 'ignore' },
    ) => unknown
  } = {},
): void {
  if (platform === 'win32') {
    run('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true, stdio: 'ignore' })
    return
  }
  try {
    kill(-pid, name)
  } catch {
    // The group is gone.
  }
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
