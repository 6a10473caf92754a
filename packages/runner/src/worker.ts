import type { Limits } from '@svc/contract/limits'
import { type Alarm, openAlarm } from './alarm.ts'
import { type Child, type Ending, noChild, openChild } from './child.ts'
import type { Clock } from './clock.ts'
import { environment } from './environment.ts'
import type { Fence } from './fence.ts'
import type { Folders } from './folders.ts'
import type { CommandSpec } from './link.ts'
import { type Log, logBudget } from './log.ts'
import { findProgram } from './program.ts'
import { logStderr } from './stderr.ts'
import { openTalk, type Talk } from './talk.ts'

/** What all processes of a runner share. */
export interface Floor {
  readonly fence: Fence
  readonly folders: Folders
  readonly limits: Limits
  readonly log: Log
  readonly clock: Clock
  /** What a process and all that it starts carry in their environment. */
  readonly newMark: () => string
  /** Counts a line of stdout that was no message. */
  readonly onNoise: () => void
}

/** One process of a plugin with the talk over its lines. */
export interface Worker {
  /** Whether there is a process at all. */
  readonly isStarted: boolean
  readonly talk: Talk
  /** The deadline of its call. */
  readonly alarm: Alarm
  /** Its own folder; `''` where it has none, and then no process either. */
  readonly folder: string
  readonly ended: Promise<Ending>
  /** Whether it may take a next call. */
  isUsable(): boolean
  kill(): Promise<Ending>
  /** Ends stdin, waits a moment, kills what is left. */
  retire(): Promise<Ending>
}

/** How one process differs from others of its plugin. */
export interface WorkerOptions {
  /** Names the compile cache that it shares; without one it has none. */
  readonly cacheKey?: string
  /** How much of a line is held; `LINE_MAX_BYTES` where left out. */
  readonly keepBytes?: number
}

/** Starts a process of a plugin; never throws: a command or a folder that is not to be had comes as its ending. */
export function openWorker(
  plugin: CommandSpec,
  floor: Floor,
  { cacheKey, keepBytes }: WorkerOptions,
): Worker {
  const { folders, limits, log, clock } = floor
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
          text === null ? 'a message of stdout answers nobody' : 'a line of stdout is no message',
        )
    },
  })

  const room = makeRoom(folders, cacheKey)
  const child = 'problem' in room ? noChild(room.problem) : start(room)
  talk.bind(child)
  const alarm = openAlarm(clock)
  const ended = child.ended.then(async (ending) => {
    alarm.close()
    log.debug({ ...about, event: 'plugin_ended', ...ending }, 'a plugin process has ended')
    if ('folder' in room) await folders.drop(room.folder)
    return ending
  })

  function start({ folder, cache }: Room): Child {
    const cwd = plugin.cwd ?? folder
    const mark = floor.newMark()
    const env = environment(process.env, { folder, cache, mark }, plugin.env)
    const [name = '', ...args] = plugin.command
    const program = findProgram(name, cwd, env.PATH)
    if (!program) return noChild(`there is no program ${JSON.stringify(name)} on the runner's machine`)
    return openChild({
      ...{ program, args, cwd, env, mark, limits },
      fence: floor.fence,
      onLine: talk.onLine,
      long: keepBytes === undefined ? undefined : { keepBytes, onLong: talk.onLong },
      onStderr: (stderr) => logStderr(stderr, about, { log, limits, now }),
    })
  }

  return {
    isStarted: child.isStarted,
    talk,
    alarm,
    folder: 'folder' in room ? room.folder : '',
    ended,
    isUsable: () => talk.usable && !child.midLine(),
    kill: () => child.kill().then(() => ended),
    retire: () => child.retire(limits.CANCEL_KILL_MS).then(() => ended),
  }
}

/** Where a process lives: a folder of its own, and the compile cache of its user and plugin where it shares one. */
interface Room {
  readonly folder: string
  readonly cache: string | undefined
}

/** The folders of one process, or a sentence where the disk does not let them be made. */
function makeRoom(folders: Folders, cacheKey: string | undefined): Room | { readonly problem: string } {
  try {
    return { cache: cacheKey === undefined ? undefined : folders.cache(cacheKey), folder: folders.own() }
  } catch (error) {
    return {
      problem: `its folder could not be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
