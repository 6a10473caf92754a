import { errorDocs } from '@svc/contract/error-docs'

/** How the command line can fail: the exit code of each kind. */
export const exitCodes = {
  /** A defect of ours. */
  internal: 1,
  /** What was asked for was done, and it did not hold: a check that found something, a tool that failed. */
  failed: 1,
  /** The command line itself: an unknown option, a bad value. */
  usage: 2,
  /** A folder, a package.json or a config file that is not as it must be. */
  config: 3,
  /** A bundle or the shell could not be built. */
  build: 4,
  /** The port is taken, or may not be used. */
  port: 5,
  /** The host refused it; its code and message are shown. */
  host: 6,
  /** The host could not be reached, or what answered is not a host. */
  unreachable: 7,
  /** The host does not take this machine: its token, or its key. */
  token: 8,
  /** The storage of a host cannot be used at its start, or has failed for good, and the host has ended: start it again. */
  storage: 9,
} as const

/** A kind of failure. */
export type FailureKind = keyof typeof exitCodes

/** What a command ends with: one sentence, and where there is one, a hint on what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  readonly hint: string | undefined
  /** The code of the table of errors, where the failure came with one. */
  readonly code: string | undefined

  constructor(kind: FailureKind, sentence: string, hint?: string, code?: string) {
    super(sentence)
    this.kind = kind
    this.hint = hint
    this.code = code
  }
}

/** Makes the exception to throw: `throw failure('config', '…', '…')`. */
export const failure = (kind: FailureKind, sentence: string, hint?: string, code?: string): Failure =>
  new Failure(kind, sentence, hint, code)

/** Names the section about a code; its address only where the release knew the docs site: a path is for no npm user. */
function seeDocs(code: string): string {
  const docs = errorDocs(code)
  return `See "${code}" in the reference of errors${URL.canParse(docs) ? `: ${docs}` : '.'}`
}

/** The exit code and the lines that a failed command prints. */
export function explainFailure(error: unknown): { readonly code: number; readonly lines: string[] } {
  if (error instanceof Failure)
    return {
      code: exitCodes[error.kind],
      lines: [
        `svc: ${error.message}`,
        ...(error.hint ? [`     ${error.hint}`] : []),
        ...(error.code ? [`     ${seeDocs(error.code)}`] : []),
      ],
    }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: exitCodes.internal, lines: ['svc: an error inside svc itself', cause] }
}

/** The same for a program: what `--json` prints on stdout. */
export function failureJson(error: unknown) {
  const known = error instanceof Failure
  const message = known ? error.message : 'an error inside svc itself'
  return {
    ok: false,
    error: {
      kind: known ? error.kind : 'internal',
      ...(known && error.code !== undefined && { code: error.code }),
      message,
      ...(known && error.hint !== undefined && { hint: error.hint }),
      ...(known && error.code !== undefined && { docs: errorDocs(error.code) }),
    },
  }
}
