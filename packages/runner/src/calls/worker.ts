import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import { type Alarm, openAlarm } from '@svc/node'
import type { LoopbackHost } from '@svc/node/public-fetch'
import { HOME } from '../isolation/bubblewrap.ts'
import { openEgress } from '../isolation/egress.ts'
import type { Isolator } from '../isolation/isolators.ts'
import { findProgram } from '../isolation/program.ts'
import type { Shares } from '../isolation/shares.ts'
import { openLastWords } from '../lines/last-words.ts'
import { logStderr } from '../lines/stderr.ts'
import { type Log, logBudget } from '../port/log.ts'
import type { CommandSpec } from '../port/runner.ts'
import { cellOf, hasHosts } from '../processes/cell.ts'
import { type Child, childOf, type Ending, noChild, openChild } from '../processes/child.ts'
import { deferChild } from '../processes/defer-child.ts'
import { environment } from '../processes/environment.ts'
import type { Folders, ProcessFolder } from '../processes/folders.ts'
import { watchBounds } from '../processes/watch.ts'
import { openTalk, type Talk } from './talk.ts'

/** What all processes of a runner share. */
export interface WorkerParts {
  /** How its processes are kept together, and which of them are behind walls. */
  readonly isolatorOf: (plugin: CommandSpec) => Isolator
  readonly folders: Folders
  /** Folders that no plugin sees, whatever it may reach. */
  readonly hidden: () => readonly string[]
  /** What the processes of each user take together. */
  readonly shares: Shares
  readonly limits: Limits
  /** Hosts of this machine that a reach may name. */
  readonly allowLoopback: readonly LoopbackHost[]
  readonly log: Log
  readonly clock: Clock
  /** What a process and all that it starts carry in their environment. */
  readonly newMark: () => string
  /** Counts a line of stdout that was no message. */
  readonly onNoise: () => void
}

/** One process of a plugin with the talk over its lines. */
export interface Worker {
  /** Calls `listener` once there is a process, whose install was looked at; never where none comes. */
  onStart(listener: () => void): void
  readonly talk: Talk
  /** The deadline of its call. */
  readonly alarm: Alarm
  /** Its own folder; `''` where it has none, and then no process either. */
  readonly folder: string
  readonly ended: Promise<Ending>
  /** Resolves when it has ended, at the latest after `ms` of the time by which it is killed. */
  endedWithin(ms: number): Promise<unknown>
  /** Whether it may take a next call. */
  isUsable(): boolean
  kill(): Promise<Ending>
  /** Ends stdin, waits a moment, kills what is left. */
  retire(): Promise<Ending>
}

/** How one process differs from others of its plugin. */
export interface WorkerOptions {
  /** Whose it is. */
  readonly userId: string
  /** Names the compile cache that it shares; without one it has none. */
  readonly cacheKey?: string
  /** How much of a line is held; `LINE_MAX_BYTES` where left out. */
  readonly keepBytes?: number
}

/** Starts a process of a plugin; never throws: a command or a folder that is not to be had comes as its ending. */
export function openWorker(
  plugin: CommandSpec,
  floor: WorkerParts,
  { userId, cacheKey, keepBytes }: WorkerOptions,
): Worker {
  const { folders, limits, log, clock } = floor
  const isolator = floor.isolatorOf(plugin)
  const { now } = clock
  const about = { plugin: plugin.id, version: plugin.version }
  const budget = logBudget(limits.PLUGIN_LOG_PER_SECOND, now)
  const talk = openTalk({
    limits,
    onNoise(text) {
      floor.onNoise()
      const pass = budget.pass()
      if (pass)
        log.warn(
          {
            ...about,
            event: 'stdout_noise',
            ...(text !== null && { line: text.slice(0, limits.NOISE_SHOWN_CHARS) }),
            ...pass,
          },
          text === null ? 'a message on stdout replies to no request' : 'a line on stdout is not a message',
        )
    },
  })

  const startedMs = now()
  const room = makeRoom(folders, cacheKey)
  const child = 'problem' in room ? noChild(room.problem) : begin(room)
  talk.bind(child)
  const alarm = openAlarm(clock)
  const ended = child.ended.then(async (ending) => {
    alarm.close()
    const ms = now() - startedMs
    log.debug({ ...about, event: 'plugin_ended', ms, ...ending }, 'a plugin process has ended')
    if ('folder' in room) await folders.drop(room.folder)
    return ending
  })

  function begin(room: ProcessFolder): Child {
    const { intact } = plugin
    return intact ? deferChild(intact, () => start(room)) : childOf(() => start(room))
  }

  function start(room: ProcessFolder): Child {
    const { folder, cache } = room
    let over: string | undefined
    const cwd = plugin.cwd ?? folder
    const mark = floor.newMark()
    const words = openLastWords(limits)
    const walls = isolator.walls ? { home: HOME, proxied: hasHosts(plugin) } : {}
    const isInstalled = plugin.files !== undefined
    const env = environment(process.env, { folder, cache, mark, isInstalled, ...walls }, plugin.env)
    const [name = '', ...args] = plugin.command
    const program = findProgram(name, cwd, env.PATH)
    if (!program) return noChild(`there is no program ${JSON.stringify(name)} on the runner's machine`)
    const cell = isolator.walls ? cellOf({ ...plugin, program, args, cwd }, room, floor, env.PATH) : undefined
    if (cell && 'problem' in cell) return noChild(cell.problem)
    const way =
      cell?.egress !== undefined ? openEgress({ ...floor, ...plugin, socket: cell.egress }) : undefined
    const child = openChild({
      program,
      args,
      cwd,
      env,
      mark,
      limits,
      isolator,
      cell,
      onLine: talk.onLine,
      long: { keepBytes: keepBytes ?? limits.LINE_MAX_BYTES, onPiece: talk.onPiece, onEnd: talk.onEnd },
      onDeaf() {
        if (!talk.isAsked) void child.retire(limits.CANCEL_KILL_MS)
      },
      onStderr(stderr) {
        stderr.on('data', words.take)
        logStderr(stderr, about, { log, limits, now })
      },
      lastWords: () => over ?? words.last(),
      onSurvivor: (pid) =>
        log.warn(
          { ...about, event: 'plugin_survived', pid },
          'a process of a plugin goes on running after it was killed: end it by its pid',
        ),
    })
    if (way) void child.ended.then(() => way.close())
    if (isolator.walls)
      watchBounds(
        child,
        cache === undefined ? [folder] : [folder, cache],
        { limits, share: floor.shares.of(userId) },
        (problem) => {
          over = problem
          log.warn(
            { ...about, event: 'plugin_over_bounds', problem },
            'a plugin exceeded its limits and was killed',
          )
          // What it left in its cache would count against the next one.
          void child.kill().then(() => (cacheKey === undefined ? undefined : folders.emptyCache(cacheKey)))
        },
      )
    return child
  }

  return {
    onStart: child.onStart,
    talk,
    alarm,
    folder: 'folder' in room ? room.folder : '',
    ended,
    async endedWithin(ms) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([ended, late])
      clearTimeout(timer)
    },
    isUsable: () => talk.usable && !child.midLine() && child.isListening(),
    kill: () => child.kill().then(() => ended),
    retire: () => child.retire(limits.CANCEL_KILL_MS).then(() => ended),
  }
}

/** The folders of one process, or a sentence where the disk does not let them be made. */
function makeRoom(
  folders: Folders,
  cacheKey: string | undefined,
): ProcessFolder | { readonly problem: string } {
  try {
    return { cache: cacheKey === undefined ? undefined : folders.cache(cacheKey), folder: folders.own() }
  } catch (error) {
    return {
      problem: `its folder could not be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
