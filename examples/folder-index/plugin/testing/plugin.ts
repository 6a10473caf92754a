import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Progress } from '../report.ts'

/** What comes out of the plugin: progress, or a reply. */
interface Line {
  readonly result?: unknown
  readonly params?: { readonly data: Progress }
}

/** A plugin process on bare pipes, one call at a time. */
export interface TestedPlugin {
  say(message: object): void
  index(folder: string, seconds?: unknown): void
  /** Waits for the first progress of a stage. */
  reaches(stage: Progress['stage']): Promise<void>
  /** The result, and the progress told since. */
  reply(): Promise<{ readonly result: unknown; readonly progress: readonly Progress[] }>
  /** Ends stdin and answers the exit code. */
  end(): Promise<number | null>
}

/** Starts the plugin as a host does; its log goes nowhere. */
export function startPlugin(): TestedPlugin {
  const child = spawn('node', [path.join(import.meta.dirname, '..', 'node.ts')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function hear(): Promise<Line> {
    const { value, done } = await lines.next()
    if (done) throw new Error('the plugin ended its output before it answered')
    return JSON.parse(value)
  }
  const say = (message: object) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  return {
    say,
    index: (folder, seconds) =>
      say({ id: 'job', method: 'call', params: { name: 'index_folder', args: { folder, seconds } } }),
    async reaches(stage) {
      while ((await hear()).params?.data.stage !== stage);
    },
    async reply() {
      const progress: Progress[] = []
      for (;;) {
        const { params, result } = await hear()
        if (!params) return { result, progress }
        progress.push(params.data)
      }
    },
    async end() {
      child.stdin.end()
      const [code] = await exit
      return code
    },
  }
}
