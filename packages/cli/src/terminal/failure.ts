import { inspect } from 'node:util'
import { errorDocs } from '@svc/contract/error-docs'
import { visibleLine } from '@svc/contract/visible-text'
import { typed } from './typed.ts'

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

/** Errors of our packages that users cause, by their names: a package is not loaded to tell. */
const kinds: ReadonlyMap<string, FailureKind> = new Map([
  ['ArchiveError', 'config'],
  ['BusError', 'storage'],
  ['ClusterError', 'config'],
  ['FolderError', 'config'],
  ['OptionError', 'config'],
  ['StoreError', 'storage'],
])
/** What the system says where a disk takes nothing more. */
const diskCodes: ReadonlySet<string | undefined> = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS'])
/** What a part of the system is called that refused something. */
const partOf = (syscall: string, code: string | undefined): FailureKind =>
  /^(listen|bind)$/.test(syscall) ? 'port' : diskCodes.has(code) ? 'storage' : 'config'

/** An error as a failure of what a user gave or of his machine; `null`: it is a defect of ours. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (!(error instanceof Error)) return null
  const { name, message, hint, syscall, code, path } = error as NodeJS.ErrnoException & {
    readonly hint?: string
  }
  const kind = kinds.get(name)
  if (kind !== undefined) return failure(kind, message, hint)
  if (syscall === undefined) return null
  const [, what = message] = /^[A-Z\d_]+: (.*?)(?:, [a-z]+(?: '.*)?)?$/s.exec(message) ?? []
  const sentence = path === undefined ? message : `${path}: ${what}${code === undefined ? '' : ` (${code})`}`
  return failure(partOf(syscall, code), sentence)
}

/** The exit code and the lines that a failed command prints: what a host or a plugin said begins none of its own. */
export function explainFailure(error: unknown): { readonly code: number; readonly lines: string[] } {
  const failed = failureOf(error)
  if (failed)
    return {
      code: exitCodes[failed.kind],
      lines: [
        `svc: ${visibleLine(failed.message)}`,
        ...(failed.hint ? [`     ${typed(visibleLine(failed.hint))}`] : []),
        ...(failed.code ? [`     ${seeDocs(failed.code)}`] : []),
      ],
    }
  const cause = error instanceof Error ? (error.stack ?? error.message) : inspect(error)
  return { code: exitCodes.internal, lines: ['svc: an error inside svc itself', cause] }
}

/** The same for a program: what `--json` prints on stdout. */
export function failureJson(error: unknown) {
  const failed = failureOf(error)
  return {
    ok: false,
    error: {
      kind: failed?.kind ?? 'internal',
      ...(failed?.code !== undefined && { code: failed.code }),
      message: failed?.message ?? 'an error inside svc itself',
      ...(failed?.hint !== undefined && { hint: typed(failed.hint) }),
      ...(failed?.code !== undefined && { docs: errorDocs(failed.code) }),
    },
  }
}
