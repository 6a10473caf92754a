import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { limits } from '@svc/contract/limits'
import { visibleLine } from '@svc/contract/visible-text'
import { failure } from './failure.ts'

/** What is asked for. */
interface AskedValue {
  readonly name: string
  readonly description: string | null
  /** Whether nothing of it is shown while it is typed. */
  readonly secret: boolean
}

/**
 * Reads a value from stdin, without the line end that `echo` adds; on a terminal it asks for one line. Errors: `usage`
 * where nothing comes.
 */
export async function readValue(
  { name, description, secret }: AskedValue,
  stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  const question = `${visibleLine(`${name}${description === null ? '' : ` (${description})`}`)}: `
  const value = stdin.isTTY ? await ask(question, secret, stdin, stderr) : await readAll(name, stdin)
  const line = value.replace(/\r?\n$/, '')
  if (line !== '') return line
  throw failure(
    'usage',
    `${name} got no value`,
    `Pipe it in, such as: svc plug set TOOL_ID ${name} < key.txt`,
  )
}

async function readAll(name: string, stdin: NodeJS.ReadableStream): Promise<string> {
  const max = limits.PLUG_VALUES_MAX_BYTES
  const pieces: Buffer[] = []
  let total = 0
  for await (const piece of stdin) {
    pieces.push(Buffer.from(piece))
    total += piece.length
    if (total > max) throw failure('usage', `${name} must have at most ${max} bytes`)
  }
  return Buffer.concat(pieces).toString()
}

function ask(
  question: string,
  isSecret: boolean,
  input: NodeJS.ReadableStream,
  stderr: NodeJS.WritableStream,
): Promise<string> {
  const shown = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input, output: shown, terminal: true })
  stderr.write(question)
  return new Promise((resolve) => {
    let said = ''
    lines.once('line', (line) => {
      said = line
      lines.close()
    })
    lines.once('close', () => {
      stderr.write('\n')
      resolve(said)
    })
  })
}
