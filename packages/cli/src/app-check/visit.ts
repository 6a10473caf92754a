import type { Bench } from './bench.ts'
import type { Complaints } from './complaints.ts'
import type { Stage, StageOptions } from './stage.ts'

/** Opens the windows of one check, until it is over. */
export function openVisit(bench: Pick<Bench, 'open'>) {
  const stages: Stage[] = []
  let isOver = false
  const throwIfOver = () => {
    if (isOver) throw new Error('the check is over')
  }
  return {
    /** Opens the app in one more window. */
    async open(options?: StageOptions): Promise<Stage> {
      throwIfOver()
      const stage = await bench.open(options)
      if (isOver) await stage.close()
      throwIfOver()
      stages.push(stage)
      return stage
    },
    /** The window that was opened last. */
    get last(): Stage | undefined {
      return stages.at(-1)
    },
    /** What the browser complained of in any of them. */
    get complaints(): Complaints {
      const all = stages.map(({ complaints }) => complaints)
      return {
        uncaught: all.flatMap(({ uncaught }) => uncaught),
        console: all.flatMap((one) => one.console),
        policy: all.flatMap(({ policy }) => policy),
      }
    },
    /** Throws where the check is over: what goes on in it has no say any more. */
    throwIfOver,
    /** Ends it: nothing more is opened. */
    end(): void {
      isOver = true
    },
  }
}

/** See `openVisit`. */
export type Visit = ReturnType<typeof openVisit>
