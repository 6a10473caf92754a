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
}

/** What a terminal sends its processes for these characters when it is not in raw mode. */
const signals: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001c', 'SIGQUIT'],
  ['\u001a', 'SIGTSTP'],
])

/**
 * Listens to single keys; `h` lists them. While one works, others wait for nobody: they are ignored. What fails is said,
 * and the command goes on. Returns what gives the terminal back.
 *
 * @example
 * ```ts
 * const close = openKeys({ input: process.stdin, keys, write: console.error, signal: (name) => process.kill(process.pid, name) })
 * ```
 */
export function openKeys({ input, keys, write, signal }: KeysOptions): () => void {
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

  function stop(): void {
    input.setRawMode(false)
    signal('SIGTSTP')
  }
  const goOn = () => void input.setRawMode(true)

  const hear = (bytes: Buffer) => {
    const text = bytes.toString('latin1')
    // More than one character is a key such as an arrow, or a text that was pasted: none of ours.
    if (text.length === 1 && !signals.has(text)) void press(text.toLowerCase())
    for (const name of [...text].map((char) => signals.get(char))) {
      if (name === 'SIGTSTP') stop()
      else if (name) signal(name)
    }
  }
  process.on('SIGCONT', goOn)
  input.setRawMode(true)
  input.on('data', hear)
  input.resume()
  return () => {
    process.off('SIGCONT', goOn)
    input.off('data', hear)
    input.setRawMode(false)
    input.pause()
  }
}
