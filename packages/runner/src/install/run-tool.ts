import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { removeTree } from '@svc/node'
import { type Cell, HOME } from '../isolation/bubblewrap.ts'
import { openEgress } from '../isolation/egress.ts'
import { proxyVariables } from '../isolation/forwarder.ts'
import type { Keeper } from '../isolation/keeper.ts'
import { findProgram } from '../isolation/program.ts'
import type { Shares } from '../isolation/shares.ts'
import { viewOf } from '../isolation/view.ts'
import { asBuffer } from '../lines/line-text.ts'
import type { Cgroups } from '../processes/cgroups.ts'
import { openChild } from '../processes/child.ts'
import { environment } from '../processes/environment.ts'
import type { Folders } from '../processes/folders.ts'
import { watchBounds } from '../processes/watch.ts'
import { routeToIndexes } from './index-route.ts'
import type { FoundSettings } from './manager-settings.ts'
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
  /** What this machine says to it. */
  readonly settings: FoundSettings
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Where a tool runs: as plugins do, so that all it starts ends with it, and what a package has it start sees no more. */
export interface ToolParts {
  readonly keeper: () => Pick<Keeper, 'isolator' | 'toolIsolator'>
  readonly folders: Folders
  readonly shares: Shares
  readonly cgroups: Cgroups
  readonly limits: Limits
  readonly newMark: () => string
  /** Called before each start. */
  readonly onStart: () => void
}

/** No user has this id: what all installers take together. */
const INSTALLS = ' installs'

/** How the proxies of a machine are named; behind walls those are the runner's to use. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']
const { HTTPS_PROXY: wayOut = '' } = proxyVariables
/** What npm is told in its settings goes before the variables of a proxy, unless these say it too. */
const PROXIED = {
  npm_config_proxy: wayOut,
  npm_config_https_proxy: wayOut,
  npm_config_noproxy: 'none.invalid',
  // Its index may be on this machine.
  NO_PROXY: '',
  no_proxy: '',
}
const HOSTS_SHOWN = 5

/** Makes `RunTool`. */
export function toolRunner({
  keeper,
  folders,
  shares,
  cgroups,
  limits,
  newMark,
  onStart,
}: ToolParts): RunTool {
  return async ({ program, args, folder, settings, isWalled, env: added, signal }) => {
    const { isolator: best, toolIsolator } = keeper()
    const isolator = isWalled ? best : toolIsolator
    const cwd = join(folder, 'tmp')
    await mkdir(cwd, { recursive: true, mode: 0o700 })
    const mark = newMark()
    const env = environment(
      process.env,
      { folder: cwd, cache: undefined, mark, ...(isolator.walls && { home: HOME, proxied: true }) },
      { ...(isolator.walls ? PROXIED : named(PROXIES)), ...settings.env, ...added },
    )
    const file = findProgram(program, cwd, env.PATH)
    if (!file) throw problem(`${program} is not on this machine`)
    signal.throwIfAborted()
    onStart()
    const said = kept(limits)
    const told = kept(limits)
    const walls = isolator.walls ? openWalls(file, cwd) : undefined
    const cgroup = walls && cgroups.of(INSTALLS)
    const child = openChild({
      cell: walls && { ...walls.cell, cgroup },
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
    if (walls)
      watchBounds(child, [folder], { limits, share: shares.of(INSTALLS), cgroup }, (why) => {
        over = why
        void child.kill()
      })
    const kill = () => void child.kill()
    signal.addEventListener('abort', kill)
    // Its stdin ends at once: whoever asks a question there gets no answer, and does not wait for one.
    const ending = await child.retire(limits.INSTALL_TIMEOUT_MS)
    signal.removeEventListener('abort', kill)
    await walls?.close()
    signal.throwIfAborted()
    // What stays there goes with the folder, or is sealed with it.
    await removeTree(cwd).catch(() => {})
    if (ending.exitCode === 0) return said.text()
    const home = homedir()
    // In a container it may be the root, which is in every path, or nothing.
    const names = new Map([[folder, '.'], [HOME, '~'], ...(home.length > 1 ? [[home, '~'] as const] : [])])
    const how =
      over ??
      cgroup?.problem() ??
      ending.problem ??
      `it ended with ${ending.signal ?? `exit code ${ending.exitCode}`}`
    const lines = lastLines(told.text() || said.text(), names, limits)
    throw problem(`${program}: ${how}${lines && `: ${lines}`}`, walls?.hint())

    /** It sees its program, its settings and its folder, and goes to its index alone. */
    function openWalls(file: string, cwd: string) {
      const { readable } = viewOf({ program: file, args: [], cwd }, env.PATH)
      const beside = folders.own()
      const socket = join(beside, 'egress.sock')
      const refused = new Set<string>()
      const route = routeToIndexes(settings, (host) => {
        if (refused.size < HOSTS_SHOWN) refused.add(host)
      })
      const way = openEgress({ socket, limits, takesPlain: true, route })
      const cell: Cell = {
        view: { readable: [...new Set([...readable, ...settings.readable])], writable: [] },
        reached: [],
        folder,
        cache: undefined,
        etc: folders.etc(settings.readable),
        filter: folders.filter(),
        cwd,
        installed: [],
        hidden: [],
        egress: socket,
      }
      return {
        cell,
        /** What it asked for and did not get. */
        hint: () =>
          refused.size === 0
            ? undefined
            : `It may not reach ${[...refused].join(', ')}: to allow a host, name it by a URL in the settings of ${program}.`,
        async close(): Promise<void> {
          way.close()
          await folders.drop(beside)
        },
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
      text += more
      // Not for each of many short lines.
      if (text.length > 2 * max) text = text.slice(-max)
    },
    text: () => text.slice(-max),
  }
}
