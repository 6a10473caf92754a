import { fanOut, USER, WINDOW } from './events/fan-out.ts'
import type { Outcome } from './lib/pairs.ts'

const READERS = 50
const FRAMES_A_BLOCK = 2_000
const RUN_COUNTS = [1, 20]

/** Frames of runs to the pages of their user beside one `res.write` a frame and reader. */
export async function benchFrameReaders(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const runs of RUN_COUNTS) outcomes.push(await framesToReaders(runs))
  return outcomes
}

/** Each run says one token a turn of the event loop. */
const framesToReaders = (runs: number) =>
  fanOut(({ bus, events }) => {
    const streams = Array.from({ length: runs }, (_, at) => ({ id: `strm_${at}`, tail: 0 }))
    const payload = (title: string) => JSON.stringify({ event: 'sse', data: { object: 'chunk', title } })
    return {
      title: `frames of ${runs} runs to ${READERS} readers, one a tick each`,
      readers: READERS,
      frames: FRAMES_A_BLOCK,
      aTick: runs,
      send(title, seq) {
        const stream = streams[seq % runs]
        if (!stream) return
        if (stream.tail === 0) events.follow(USER, WINDOW, stream.id, null)
        stream.tail += 1
        void bus.journal.append(`run:${stream.id}`, stream.tail, [payload(title)])
      },
      raw: (title, seq) =>
        `data: {"type":"rpc.stream","window_uuid":"${WINDOW}","stream_id":"strm_0","seq":${seq},"payload":${payload(title)},"done":false}\n\n`,
    }
  })

if (import.meta.main) await benchFrameReaders()
