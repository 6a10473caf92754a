import type { ChunkDelta, Frame } from '@svc/contract'
import { createSessions } from '../sessions.ts'
import { callBed, type FakeMethods, refusal } from './call.ts'

/** A token frame with this delta. */
export const sse = (delta: ChunkDelta, finish_reason: 'stop' | 'length' | null = null): Frame => ({
  event: 'sse',
  data: {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'svc-dev',
    choices: [{ index: 0, delta, finish_reason }],
  },
})

/** A token frame with this text. */
export const text = (content: string): Frame => sse({ content })

/** The id of the nth run, a uuid. */
export const runIdOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** The id of its stream. */
export const streamIdOf = (n: number): string => `strm_${n}`

/** The last frame of the nth run. */
export const endOf = (n: number): Frame => ({ event: 'end', run_id: runIdOf(n) })

const START = Date.UTC(2026, 0, 1)
const IDLE_S = 1_800
const AFTER_DAY = new Date(START + 86_400_000).toISOString()

/**
 * The client of sessions and runs on a frozen clock, and a host that a test moves by hand. What a run says is written
 * into its journal; frames reach the client only where the test sends them, or by an attach.
 */
export function sessionBed() {
  const journals: Frame[][] = []

  const journal = (n: number): Frame[] => {
    const frames = journals[n - 1]
    if (!frames) throw new Error(`there is no run ${n}`)
    return frames
  }
  const isDone = (n: number) => journal(n).at(-1)?.event === 'end'

  function begin(run_id?: unknown) {
    const known = journals.findIndex((_, at) => runIdOf(at + 1) === run_id)
    const n = known >= 0 ? known + 1 : journals.push([])
    return { result: { run_id: runIdOf(n), stream_id: streamIdOf(n) } }
  }

  const life = () => {
    const ends = START + base.clock.now() + IDLE_S * 1_000
    return {
      app_session_uuid: 'aps_1',
      expires_in: 600,
      submode: 'auto',
      fixed_client_id: null,
      expires_at: new Date(ends).toISOString(),
      max_lifetime_at: AFTER_DAY,
      idle_ttl_seconds: IDLE_S,
      session_expires_in: IDLE_S,
    }
  }

  function attach({ run_id, after_seq }: Record<string, unknown>) {
    const n = journals.findIndex((_, at) => runIdOf(at + 1) === run_id) + 1
    if (n === 0 || bed.forgotten) return refusal('not_found')
    const lastSeq = journal(n).length
    const result = { run_id, stream_id: streamIdOf(n), last_seq: lastSeq, done: isDone(n) }
    const replay = () => {
      for (let seq = Number(after_seq) + 1; seq <= lastSeq; seq++) bed.send(n, seq)
    }
    if (bed.replays === 'after') setImmediate(replay)
    if (bed.replays === 'before') replay()
    return { result }
  }

  function cancel({ run_id }: Record<string, unknown>) {
    const n = journals.findIndex((_, at) => runIdOf(at + 1) === run_id) + 1
    const cancelled = n > 0 && !isDone(n)
    if (cancelled) bed.tell(n, sse({ task_cancelled: true }), endOf(n))
    return { result: { cancelled } }
  }

  const methods: FakeMethods = {
    'session.create': ({ submode, systemPrompt = null }) => ({
      result: {
        ...life(),
        submode,
        system_prompt: systemPrompt,
        granted_tools: ['time_now'],
        inherit_host_tools: false,
      },
    }),
    'session.refresh': ({ app_session_uuid }) => ({ result: { ...life(), app_session_uuid } }),
    'session.run': ({ run_id, runId }) => begin(run_id ?? runId),
    'session.attach': attach,
    'session.cancel': cancel,
    'session.history': () => ({ result: { messages: [] } }),
    'session.delete': () => ({ result: { deleted: true } }),
    stream: () => begin(),
    attach,
    cancel,
  }

  const base = callBed(methods)
  const bed = Object.assign(base, {
    sessions: createSessions(base.parts),
    journal,
    /** Whether an attach sends the frames again, after its answer or before it. */
    replays: 'after' as 'after' | 'before' | 'never',
    /** Whether the frames are past what they are kept. */
    forgotten: false,
    /** The run says something that nobody is told of. Returns the last seq. */
    write: (n: number, ...frames: Frame[]) => journal(n).push(...frames),
    /** Sends a frame of the journal, or one that is not a frame of it, as it stands or is given. */
    send(n: number, seq: number, payload = journal(n)[seq - 1]) {
      base.hub.emit('rpc.stream', {
        type: 'rpc.stream',
        window_uuid: 'w',
        stream_id: streamIdOf(n),
        seq,
        payload,
        done: payload?.event === 'end',
      })
    },
    /** The run says something, and the client is told. */
    tell(n: number, ...frames: Frame[]) {
      for (const frame of frames) bed.send(n, bed.write(n, frame))
    },
    /** The after_seq of each attach, in order. */
    attached: () =>
      base.seen.filter(({ method }) => method.endsWith('attach')).map(({ args }) => args.after_seq),
  })
  return bed
}

/** A bed with a session and its first run. */
export async function runningBed() {
  const bed = sessionBed()
  const session = await bed.sessions.session({ submode: 'auto' })
  const run = await session.run('hello')
  return { bed, session, run }
}

/** Reads to the end; what it throws stands last. */
export async function readAll<Item>(items: AsyncIterable<Item>): Promise<unknown[]> {
  const read: unknown[] = []
  try {
    for await (const item of items) read.push(item)
  } catch (error) {
    read.push(error)
  }
  return read
}
