import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Limits } from '@svc/contract'
import { lineSplitter } from '@svc/contract/lines'
import { type MeantLine, mayBeWhole, meantSentence, withoutEnd } from '@svc/contract/meant-line'
import { JSONRPC, type LineId } from '@svc/contract/stdio'
import { environment, findProgram, killTree, openLastWords, startFault, wordsOf } from '@svc/runner'
import { searchPath } from '../project/search-path.ts'
import { openLines } from './lines.ts'
import { isReply, type Message } from './message.ts'

/** What is asked of a plugin, and how it is started. */
export interface ProcessOptions {
  /** Program and arguments, never a shell line. */
  readonly command: readonly string[]
  readonly cwd: string
  /** Variables beside those that every plugin has. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Its folder for temporary files. */
  readonly folder: string
  readonly limits: Limits
  /** Hears of each thing on stdout that is no message of the wire, and how to put it right where that is known. */
  readonly onNoise: (problem: string, hint?: string) => void
}

/** What came of a question: the reply, or a sentence about why there is none, and what to do about it where that is known. */
export type Answer = { readonly reply: Message } | { readonly problem: string; readonly hint?: string }

/** One process of a plugin on bare pipes, as the runner would start it. */
export interface PluginProcess {
  /** Writes bytes as they are; a line needs its line feed. */
  write(bytes: string | Uint8Array): void
  /** Hears every message but replies that are waited for; call what it answers to stop. */
  listen(hear: (message: Message) => void): () => void
  /** Says that a request with this id is about to be written by hand: one answer to it is no noise. */
  expect(id: LineId): void
  /** Waits for the first message that `fits`; listen before you write. */
  wait(fits: (message: Message) => boolean, ms: number): Promise<Answer>
  /** Sends a request and waits for the reply with its id, `DESCRIBE_TIMEOUT_MS` where no time is given. */
  ask(
    request: { readonly id: LineId; readonly method: string; readonly params?: unknown },
    ms?: number,
  ): Promise<Answer>
  /** Ends stdin and waits; `null` where it has not ended after `ms`. */
  endInput(ms: number): Promise<Ending | null>
  /** How it ended, once it has. */
  readonly ended: Promise<Ending>
  /** Kills the whole tree. Twice is harmless. */
  close(): Promise<void>
}

/** The end of a process: a sentence, and whether it went of its own will and without an error. */
export interface Ending {
  readonly sentence: string
  readonly ok: boolean
  /** Whether there was a process. */
  readonly isStarted: boolean
}

const isWindows = process.platform === 'win32'
const ENDED_HINT = 'Put right what it says on stderr. A plugin reads stdin until that ends.'
const NOT_STARTED_HINT =
  'Give the program and its arguments as they are started in this folder, without a shell: svc plug check -- node plugin.ts'

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** Starts the plugin. Never throws: a program that is not there comes as its ending. */
export function openProcess(options: ProcessOptions): PluginProcess {
  const { limits, cwd } = options
  const mark = randomBytes(16).toString('hex')
  const PATH = searchPath(cwd)
  const env = environment(
    { ...process.env, PATH },
    { folder: options.folder, cache: undefined, mark },
    options.env,
  )
  const [name = '', ...args] = options.command
  const program = findProgram(name, cwd, PATH)
  const fault = startFault(name, cwd, PATH)
  const child = program === undefined || fault !== undefined ? null : spawnChild(program, args, { cwd, env })

  let isClosed = false
  const hearers = new Set<(message: Message) => void>()
  /** Each wait for an answer: a line was meant as one. */
  const doubters = new Set<(line: MeantLine) => void>()
  const doubt = (line: MeantLine | undefined) => {
    if (line) for (const one of [...doubters]) one(line)
  }
  const asked = new Set<unknown>()
  const answered = new Set<unknown>()
  const handleMessage = (message: Message) => {
    const { id } = message
    if (isReply(message) && asked.delete(id)) answered.add(id)
    // An error without an id is how JSON-RPC answers a line that it could not read.
    else if (isReply(message) && !(id === null && message.error !== undefined))
      options.onNoise(...strayAnswer(id, answered.has(id)))
    for (const one of [...hearers]) one(message)
  }
  const stderr = openLastWords(limits)
  const ended: Promise<Ending> = child
    ? endingOf(child, stderr.last, limits.DRAIN_MS)
    : Promise.resolve(notStarted(fault ?? `there is no program ${JSON.stringify(name)} here`))

  if (child) {
    const lines = openLines({
      limits,
      onMessage: handleMessage,
      onNoise: options.onNoise,
      onMeant: doubt,
      waits: (id) => asked.has(id),
      onFlood: () => killTree(child.pid ?? 0, mark),
      reply: (line) => child.stdin.write(`${line}\n`),
    })
    const splitter = lineSplitter(limits.LINE_MAX_BYTES, lines.take)
    child.stdout.on('data', (chunk: Buffer) => {
      splitter.push(chunk)
      if (mayBeWhole(chunk, splitter.heldBytes)) doubt(withoutEnd(splitter.held(), (id) => asked.has(id)))
    })
    // What is cut off by the kill is no fault of the plugin's.
    child.stdout.on('end', () => {
      if (isClosed) return
      lines.end(splitter.heldBytes)
      splitter.end()
    })
    child.stderr.on('data', stderr.take)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined)
    // What it left behind is nobody's.
    child.once('exit', () => child.pid !== undefined && !isWindows && killTree(child.pid, mark))
  }

  const listen: PluginProcess['listen'] = (one) => {
    hearers.add(one)
    return () => void hearers.delete(one)
  }
  const wait: PluginProcess['wait'] = async (fits, ms) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const stop = listen((message) => {
      if (fits(message)) resolve({ reply: message })
    })
    let soon: NodeJS.Timeout | undefined
    let meant: Answer | undefined
    const onMeant = (line: MeantLine) => {
      meant ??= { problem: meantSentence('it', line), hint: line.hint }
      soon ??= setTimeout(resolve, limits.MEANT_LINE_MS, meant)
    }
    doubters.add(onMeant)
    const timer = setTimeout(() => resolve({ problem: `it did not answer within ${ms} ms` }), ms)
    void ended.then(({ sentence, isStarted }) =>
      resolve(
        meant ??
          (isStarted
            ? { problem: `${sentence} before it answered`, hint: ENDED_HINT }
            : { problem: sentence, hint: NOT_STARTED_HINT }),
      ),
    )
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      clearTimeout(soon)
      doubters.delete(onMeant)
      stop()
    }
  }
  const write: PluginProcess['write'] = (bytes) => void (child?.stdin.writable && child.stdin.write(bytes))

  return {
    write,
    listen,
    wait,
    expect: (id) => void asked.add(id),
    ended,
    ask({ id, method, params }, ms = limits.DESCRIBE_TIMEOUT_MS) {
      asked.add(id)
      const answer = wait((message) => message.method === undefined && message.id === id, ms)
      write(`${JSON.stringify({ jsonrpc: JSONRPC, id, method, ...(params !== undefined && { params }) })}\n`)
      return answer
    },
    async endInput(ms) {
      child?.stdin.end()
      const { promise: late, resolve } = Promise.withResolvers<null>()
      const timer = setTimeout(() => resolve(null), ms)
      return Promise.race([ended, late]).finally(() => clearTimeout(timer))
    },
    async close() {
      isClosed = true
      if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
        killTree(child.pid, mark)
      await ended
    },
  }
}

function spawnChild(
  program: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Record<string, string> },
): Child {
  const [file, ...words] = wordsOf(program)
  return spawn(file, [...words, ...args], {
    ...where,
    detached: !isWindows,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Resolves when the process is gone and its output is read, or a moment later where a stranger holds the pipe. */
async function endingOf(child: Child, stderr: () => string, drainMs: number): Promise<Ending> {
  // Both may come in one go.
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  child.once('close', () => resolve())
  // `once` rejects where the process could not be started.
  const exit = await once(child, 'exit').catch((error: Error) => error)
  if (exit instanceof Error) return notStarted(`it could not be started (${exit.message})`)
  const [code, signal] = exit as [number | null, NodeJS.Signals | null]
  const timer = setTimeout(resolve, drainMs)
  await drained
  clearTimeout(timer)
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  const last = stderr()
  const said = last === '' ? '' : ` (its stderr: ${last})`
  const how = signal === null ? `with exit code ${code}` : `by signal ${signal}`
  return { ok: code === 0, sentence: `it ended ${how}${said}`, isStarted: true }
}

/** An answer that nobody waits for: what is wrong with it, and what its author does about it. */
function strayAnswer(id: unknown, isRepeated: boolean): [problem: string, hint: string] {
  if (isRepeated)
    return [`it answered the id ${JSON.stringify(id)} more than once`, 'Write one answer to each request.']
  if (id === undefined || id === null)
    return [
      'it answered a line that has no id',
      'Answer only lines with an id: one without is a notification.',
    ]
  return [
    `it answered the id ${JSON.stringify(id)}, which nobody waits for`,
    'Answer only lines with a method: one with an id and without a method is an answer itself. Skip it.',
  ]
}

const notStarted = (sentence: string): Ending => ({ ok: false, sentence, isStarted: false })
