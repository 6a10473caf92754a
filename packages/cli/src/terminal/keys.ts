import { explainFailure } from './failure.ts'

/** A key that a running command listens to. */
export interface Key {
  readonly key: string
  /** What it does, in a few words. */
  readonly does: string
  run(): Promise<void>
}

/** A terminal that gives each key press at once; `process.stdin` is one where it is a TTY. */
export interface KeyInput {
  setRawMode(isRaw: boolean): unknown
  on(event: 'data', hear: (bytes: Buffer) => void): unknown
  off(event: 'data', hear: (bytes: Buffer) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Where keys come from, what they do, and who hears of it. */
export interface KeysOptions {
  readonly input: KeyInput
  readonly keys: readonly Key[]
  readonly write: (line: string) => void
  /** Sends this process the signal of a key: in raw mode the terminal does not. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Whether this process is in the foreground of the terminal. */
  readonly isForeground: () => boolean
}

/** What a terminal sends its processes for these characters when it is not in raw mode. */
const signals: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001c', 'SIGQUIT'],
  ['\u001a', 'SIGTSTP'],
])

/**
 * Listens to single keys; `h` lists them. While one of them works, the others are ignored. What fails is said, and the
 * command goes on. In the background it listens to nothing, and begins when the process comes to the foreground. Returns
 * what gives the terminal back.
 *
 * @example
 * ```ts
 * const signal = (name: NodeJS.Signals) => process.kill(process.pid, name)
 * const close = openKeys({ input: process.stdin, keys, write: console.error, signal, isForeground })
 * ```
 */
export function openKeys({ input, keys, write, signal, isForeground }: KeysOptions): () => void {
  let isBusy = false
  const help: Key = {
    key: 'h',
    does: 'lists the keys',
    async run() {
      write(['', ...all.map(({ key, does }) => `  ${key.padEnd(8)} ${does}`), ''].join('\n'))
    },
  }
  const all = [...keys, help]

  async function press(char: string): Promise<void> {
    const wanted = all.find(({ key }) => key === char)
    if (!wanted || isBusy) return
    isBusy = true
    try {
      await wanted.run()
    } catch (error) {
      for (const line of explainFailure(error).lines) write(line)
    } finally {
      isBusy = false
    }
  }

  let isRaw = false
  function take(): void {
    isRaw = true
    input.setRawMode(true)
    input.resume()
  }
  function giveBack(): void {
    input.pause()
    if (isRaw && isForeground()) input.setRawMode(false)
    isRaw = false
  }
  /** The process goes on after it was stopped, in front or in the background. */
  function goOn(): void {
    giveBack()
    if (isForeground()) take()
  }

  const hear = (bytes: Buffer) => {
    const text = bytes.toString('latin1')
    // More than one character is a key such as an arrow, or a text that was pasted: none of ours.
    if (text.length === 1 && !signals.has(text)) void press(text.toLowerCase())
    for (const name of [...text].flatMap((char) => signals.get(char) ?? [])) {
      if (name === 'SIGTSTP') giveBack()
      signal(name)
    }
  }
  process.on('SIGCONT', goOn)
  input.on('data', hear)
  if (isForeground()) take()
  return () => {
    process.off('SIGCONT', goOn)
    input.off('data', hear)
    giveBack()
  }
}
