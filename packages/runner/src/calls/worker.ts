import type { Limits } from '@svc/contract/limits'
import { meantSentence } from '@svc/contract/meant-line'
import type { Clock } from '@svc/node'
import { type Alarm, openAlarm } from '@svc/node'
import type { LoopbackHost } from '@svc/node/public-fetch'
import { HOME } from '../isolation/bubblewrap.ts'
import { certificatesOf } from '../isolation/certificates.ts'
import type { Isolator } from '../isolation/isolators.ts'
import { findProgram } from '../isolation/program.ts'
import type { Told } from '../isolation/refusals.ts'
import type { Shares } from '../isolation/shares.ts'
import { startFault } from '../isolation/start-fault.ts'
import { openLastWords } from '../lines/last-words.ts'
import { logStderr } from '../lines/stderr.ts'
import { type Log, logBudget } from '../port/log.ts'
import { serverOf } from '../port/protocol.ts'
import type { CallOutcome, CommandSpec, DescribeOutcome } from '../port/runner.ts'
import { cellOf, hasWay } from '../processes/cell.ts'
import type { Cgroups } from '../processes/cgroups.ts'
import { type Child, childOf, type Ending, noChild, openChild } from '../processes/child.ts'
import { deferChild } from '../processes/defer-child.ts'
import { environment } from '../processes/environment.ts'
import type { Folders, ProcessFolder } from '../processes/folders.ts'
import { makeRoom } from '../processes/make-room.ts'
import { watchBounds } from '../processes/watch.ts'
import { openTalk, type Talk } from './talk.ts'
import { openWallWatch } from './wall-watch.ts'
import { openWayOut } from './way-out.ts'

/** What all processes of a runner share. */
export interface WorkerParts {
  /** How its processes are kept together, and which of them are behind walls. */
  readonly isolatorOf: (plugin: CommandSpec) => Isolator
  readonly folders: Folders
  /** Folders that no plugin sees, whatever it may reach. */
  readonly hidden: () => readonly string[]
  /** What the processes of each user take together. */
  readonly shares: Shares
  /** What holds each process to its limits. */
  readonly cgroups: Cgroups
  readonly limits: Limits
  /** Hosts of this machine that a reach may name. */
  readonly allowLoopback: readonly LoopbackHost[]
  readonly log: Log
  readonly clock: Clock
  /** What a process and all that it starts carry in their environment. */
  readonly newMark: () => string
  /** Counts a line of stdout that was no message. */
  readonly onNoise: () => void
  /** What walls refused, and was told already. */
  readonly told: Told
  /** Whether failures are read by the owner of its plugins, and by no app of others. */
  readonly isOwners: boolean
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
  /** What it said last on stderr; `''`: nothing. */
  lastWords(): string
  /** Whether it may take a next call. */
  isUsable(): boolean
  /** Says with a failure what its walls may have to do with it. To be called once for each answer. */
  explain<Outcome extends CallOutcome | DescribeOutcome>(outcome: Outcome): Outcome
  /** Counts it among what this user has from here on: it served nobody yet. */
  assign(userId: string): void
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
  /** The plugin has other tools than it told before. */
  readonly onToolsChanged?: () => void
  /** How much of a line is held; `LINE_MAX_BYTES` where left out. */
  readonly keepBytes?: number
}

/** Starts a process of a plugin; never throws: a command or a folder that is not to be had comes as its ending. */
export function openWorker(
  plugin: CommandSpec,
  floor: WorkerParts,
  { userId, cacheKey, keepBytes, onToolsChanged }: WorkerOptions,
): Worker {
  const { folders, limits, log, clock } = floor
  const isolator = floor.isolatorOf(plugin)
  const { now } = clock
  const about = { plugin: plugin.id, version: plugin.version }
  const budget = logBudget(limits.PLUGIN_LOG_PER_SECOND, now)
  const meantAlarm = openAlarm(clock)
  const talk = openTalk({
    plugin: plugin.id,
    limits,
    onToolsChanged,
    onMeant: (line) =>
      log.warn({ ...about, event: 'plugin_meant', hint: line.hint }, meantSentence('it', line)),
    soon: (then) => meantAlarm.set(now() + limits.MEANT_LINE_MS, then),
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

  const walls = openWallWatch(plugin, userId, floor)
  const words = openLastWords(limits)
  const startedMs = now()
  const room = makeRoom(folders, cacheKey)
  const child = 'problem' in room ? noChild(room.problem) : begin(room)
  talk.bind(child)
  const alarm = openAlarm(clock)
  let share = floor.shares.of(userId)
  const ended = child.ended.then(async (ending) => {
    alarm.close()
    meantAlarm.close()
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
    const exceed = (problem: string) => {
      over = problem
      log.warn(
        { ...about, event: 'plugin_over_bounds', problem },
        'a plugin exceeded its limits and was killed',
      )
    }
    const cwd = plugin.cwd ?? folder
    const mark = floor.newMark()
    const within = isolator.walls ? { home: HOME, proxied: hasWay(plugin) } : {}
    const outer = !isolator.walls || hasWay(plugin) ? process.env : {}
    const { env: named, readable: certificates } = certificatesOf(outer)
    const own = { folder, cache, mark, isInstalled: plugin.files !== undefined, ...within }
    const env = environment(process.env, own, { ...named, ...plugin.env })
    const [name = '', ...args] = plugin.command
    const program = findProgram(name, cwd, env.PATH)
    const fault = [name, serverOf(plugin.command) ?? name].flatMap(
      (one) => startFault(one, cwd, env.PATH) ?? [],
    )
    if (fault[0] !== undefined) return noChild(`it could not be started: ${fault[0]}`)
    if (!program) return noChild(`there is no program ${JSON.stringify(name)} on the runner's machine`)
    const cell = isolator.walls
      ? cellOf({ ...plugin, program, args, cwd, certificates }, room, floor, env.PATH)
      : undefined
    if (cell && 'problem' in cell) return noChild(cell.problem)
    walls.stand(cell)
    const cgroup = cell && floor.cgroups.of(userId)
    const way = openWayOut(plugin, cell, { ...floor, onRefused: walls.note })
    const child = openChild({
      program,
      args: [...args, ...(plugin.args ?? [])],
      cwd,
      env: { ...cell?.view.env, ...env },
      mark,
      limits,
      isolator,
      cell: cell && { ...cell, cgroup },
      onLine: talk.onLine,
      long: { keepBytes: keepBytes ?? limits.LINE_MAX_BYTES, onPiece: talk.onPiece, onEnd: talk.onEnd },
      onDeaf() {
        if (!talk.isAsked) void child.retire(limits.CANCEL_KILL_MS)
      },
      onStderr(stderr) {
        stderr.on('data', words.take)
        logStderr(stderr, about, { log, limits, now })
      },
      lastWords() {
        const ended = cgroup?.problem()
        if (over === undefined && ended !== undefined) exceed(ended)
        return over ?? words.last()
      },
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
        { limits, share: { note: (taken) => share.note(taken), drop: () => share.drop() }, cgroup },
        (problem) => {
          exceed(problem)
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
    lastWords: words.last,
    isUsable: () => talk.usable && !child.midLine() && child.isListening(),
    explain: walls.explain,
    assign(next) {
      share.drop()
      share = floor.shares.of(next)
    },
    kill: () => child.kill().then(() => ended),
    retire: () => child.retire(limits.CANCEL_KILL_MS).then(() => ended),
  }
}
