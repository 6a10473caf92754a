import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A child process with one JSON object a line, written out by hand: one question at a time. */
export interface RawChild {
  ask(method: string, params?: unknown): Promise<unknown>
  close(): Promise<void>
}

/** The file of the raw plugin. */
export const rawPlugin = fileURLToPath(new URL('./raw-plugin.mjs', import.meta.url))

/** Starts the raw plugin. */
export function rawChild(): RawChild {
  const child: ChildProcess = spawn(process.execPath, [rawPlugin], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  let parts: Buffer[] = []
  let answer: (value: unknown) => void = () => {}
  child.stdout?.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (chunk[chunk.length - 1] !== 0x0a) return
    const line = parts.length === 1 ? chunk : Buffer.concat(parts)
    parts = []
    answer(JSON.parse(line.toString('utf8')).result)
  })
  let id = 0
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        answer = resolve
        id += 1
        child.stdin?.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: String(id), method, ...(params !== undefined && { params }) })}\n`,
        )
      }),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
