import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** A reply as it came over the pipe, nothing checked. */
export type RawReply = { jsonrpc?: unknown; id?: unknown; result?: unknown; error?: unknown }

/** A plugin process on bare pipes, driven line by line as any host could; the project's runner takes no part. */
export type RawPlugin = {
  /** Writes a line as it stands. */
  write: (line: string) => void
  /** Asks and awaits the next line of stdout, which must be the reply. */
  ask: (message: { id: string | number | null; method?: string; params?: unknown }) => Promise<RawReply>
  /** The next line of stdout, parsed; rejects when stdout ends first. */
  read: () => Promise<RawReply>
  /** CPU time that the process has used, in ms; Linux only. */
  cpuMs: () => number
  /** Ends stdin and answers the exit code. */
  end: () => Promise<number | null>
}

/** Starts a plugin; its log goes to nowhere. */
export function startRawPlugin([program = '', ...args]: readonly string[]): RawPlugin {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  const { stdin, stdout }: { stdin: Writable; stdout: Readable } = child
  const lines = linesOf(stdout)
  // Writing to a process that is gone shows as a missing answer, in `read`.
  stdin.on('error', () => undefined)
  const write = (line: string) => void stdin.write(`${line}\n`)
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ended its output before it answered`)
    return JSON.parse(value) as RawReply
  }
  return {
    write,
    read,
    ask: (message) => {
      write(JSON.stringify({ jsonrpc: '2.0', ...message }))
      return read()
    },
    cpuMs: () => cpuMsOf(child.pid),
    end: async () => {
      stdin.end()
      const [code] = await exit
      return code
    },
  }
}

/** Splits on the line feed alone; `node:readline` would also split on U+2028, which JSON may hold as it is. */
async function* linesOf(stdout: Readable): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of stdout.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Ticks of 10 ms, user and system; what comes before them ends with the name of the program in brackets. */
function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
