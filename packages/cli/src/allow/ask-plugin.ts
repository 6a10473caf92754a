import { createInterface } from 'node:readline'

/** What a person says of a plugin. */
export type Answer = 'once' | 'always' | 'never'

/** Asks a person about a plugin, in words; `null`: nobody answers any more. */
export type AskPlugin = (words: string) => Promise<Answer | null>

const answers: readonly Answer[] = ['once', 'always', 'never']
const QUESTION = 'Run it? once, always, never: '

/** Asks on the terminal, one question at a time, until `signal` aborts; `null` where there is no terminal. */
export function terminalAsker(
  signal: AbortSignal,
  stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): AskPlugin | null {
  if (!stdin.isTTY) return null
  let turn: Promise<unknown> = Promise.resolve()

  async function ask(words: string): Promise<Answer | null> {
    if (signal.aborted) return null
    // The terminal itself edits the line, and turns Ctrl-C into a signal.
    const lines = createInterface({ input: stdin, terminal: false })
    const close = () => lines.close()
    signal.addEventListener('abort', close)
    try {
      stderr.write(`${words}\n${QUESTION}`)
      for await (const line of lines) {
        const said = answers.find((one) => one === line.trim().toLowerCase())
        if (said) return said
        stderr.write(QUESTION)
      }
      return null
    } finally {
      signal.removeEventListener('abort', close)
      lines.close()
    }
  }

  return (words) => {
    const asked = turn.then(() => ask(words))
    turn = asked.catch(() => {})
    return asked
  }
}
