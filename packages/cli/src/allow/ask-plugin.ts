import { createInterface } from 'node:readline'

/** What a person says of a plugin. */
export type Answer = 'once' | 'always' | 'never'

/** Asks a person about a plugin, in words; `null`: nobody answers any more. */
export type AskPlugin = (words: string) => Promise<Answer | null>

const answers: readonly Answer[] = ['once', 'always', 'never']
const QUESTION = 'Run it? once, always, never: '

const ENDED =
  'this terminal takes no more answers: until the runner is restarted, plugins of others are refused unless --allow or an earlier answer allows them'

/**
 * Asks on the terminal until `signal` aborts or the terminal ends (Ctrl-D), one question after the other; `null` where
 * there is no terminal.
 */
export function terminalAsker(
  signal: AbortSignal,
  stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean
    readonly readableEnded?: boolean
  } = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): AskPlugin | null {
  if (!stdin.isTTY) return null

  return async (words) => {
    // An end comes once: who reads on waits for ever.
    if (signal.aborted || stdin.readableEnded) return null
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
      if (!signal.aborted) stderr.write(`\nsvc: ${ENDED}\n`)
      return null
    } finally {
      signal.removeEventListener('abort', close)
      lines.close()
    }
  }
}
