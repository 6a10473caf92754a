import { limits } from '@svc/contract/limits'
import { openAlarm } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { openPool } from '../calls/pool.ts'
import type { ProcessRequest } from '../calls/process-request.ts'
import { openTalk } from '../calls/talk.ts'
import type { Worker } from '../calls/worker.ts'
import type { CommandSpec } from '../port/runner.ts'
import type { Ending } from '../processes/child.ts'

/** A pool whose processes are made of nothing: they end when they are told to. */
export function openPoolBed(
  small: {
    POOL_PER_PLUGIN?: number
    POOL_PER_RUNNER?: number
    POOL_RESERVE?: number
    POOL_SESSIONS_PER_USER?: number
  } = {},
) {
  const clock = frozenClock()
  const made: Worker[] = []
  const forgotten: string[] = []
  /** The sessions whose processes gave way. */
  const gaveWay: (string | undefined)[] = []
  const open = (): Worker => {
    let end = (_: Ending) => {}
    const ended = new Promise<Ending>((resolve) => {
      end = resolve
    })
    let isEnded = false
    const stop = () => {
      isEnded = true
      end({ exitCode: 0, signal: null })
      return ended
    }
    const talk = openTalk({ plugin: 'notes', soon: () => {}, limits, onNoise() {} })
    const worker = {
      onStart: (listener: () => void) => listener(),
      talk,
      alarm: openAlarm(clock),
      folder: '',
      ended,
      endedWithin: () => ended,
      lastWords: () => '',
      isUsable: () => talk.usable && !isEnded,
      explain: <Outcome>(outcome: Outcome) => outcome,
      assign() {},
      kill: stop,
      retire: stop,
    }
    made.push(worker)
    return worker
  }
  const pool = openPool({
    clock,
    limits: { ...limits, ...small },
    open,
    onForget: (key) => forgotten.push(key),
    onGiveWay: ({ session }) => gaveWay.push(session),
  })
  const plugin: CommandSpec = { id: 'tool-a', version: '1', command: ['a'] }
  const wish = (more: Partial<ProcessRequest> = {}): ProcessRequest => ({
    userId: 'ada',
    plugin,
    deadlineMs: clock.now() + 1_000,
    ...more,
  })
  const get = async (more: Partial<ProcessRequest> = {}) => {
    const place = await pool.acquire(wish(more))
    if (typeof place === 'string') throw new Error(place)
    return place
  }
  return { clock, made, forgotten, gaveWay, pool, plugin, wish, get }
}
