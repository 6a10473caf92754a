import type { z } from 'zod'
import type { MethodRow } from '../define.ts'
import { agent } from './agent.ts'
import { apps } from './apps.ts'
import { chat } from './chat.ts'
import { credentials } from './credentials.ts'
import { files } from './files.ts'
import { image } from './image.ts'
import { llm } from './llm.ts'
import { mobile } from './mobile.ts'
import { storage } from './storage.ts'
import { artifact, fs, prefs } from './stubs.ts'
import { tools } from './tools.ts'
import { upload } from './upload.ts'
import { web } from './web.ts'
import { window } from './window.ts'

/** The method table: the one truth about what a bundle can call (design §3). */
export const methods = {
  ...{ window, tools, storage, chat, agent, llm, image, upload },
  ...{ files, web, apps, credentials, mobile, artifact, fs, prefs },
}

/** The method table's type. */
export type Methods = typeof methods
/** A namespace of the table. */
export type Ns = keyof Methods

/** The table by names that came from outside: no inherited name answers. */
const table: ReadonlyMap<string, ReadonlyMap<string, MethodRow>> = new Map(
  Object.entries(methods).map(([ns, rows]) => [ns, new Map<string, MethodRow>(Object.entries(rows))]),
)

/** The row of `ns.method`, or `undefined` where the table has none. */
export const methodRow = (ns: string, method: string): MethodRow | undefined => table.get(ns)?.get(method)

/** Every row as `[ns, method, row]`, in the order of the table. */
export const methodRows = (): [ns: string, method: string, row: MethodRow][] =>
  [...table].flatMap(([ns, rows]) =>
    [...rows].map(([name, row]) => [ns, name, row] as [string, string, MethodRow]),
  )

/** What a client may send as arguments of a row. */
export type ArgsIn<Row extends MethodRow> = z.input<Row['args']>
/** What a handler receives: parsed, defaults filled in. */
export type ArgsOut<Row extends MethodRow> = z.output<Row['args']>
/** What a call answers. */
export type ResultOf<Row extends MethodRow> = z.output<Row['result']>

/** Options of every call: the wait in ms, and a signal that gives it up. */
export interface CallOptions {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** One method as the client offers it; arguments may be left out where none is required. */
export type ClientMethod<Row extends MethodRow> =
  Record<never, never> extends ArgsIn<Row>
    ? (args?: ArgsIn<Row>, options?: CallOptions) => Promise<ResultOf<Row>>
    : (args: ArgsIn<Row>, options?: CallOptions) => Promise<ResultOf<Row>>

type Dotted<Rows, Prefix extends string> = keyof Rows & `${Prefix}.${string}`
type Heads<Name> = Name extends `${infer Head}.${string}` ? Head : never

/** The methods of a namespace as the client offers them: `session.create` becomes `session: { create }`. */
export type ClientNamespace<Rows> = {
  [Name in keyof Rows as Name extends `${string}.${string}` ? never : Name]: Rows[Name] extends MethodRow
    ? ClientMethod<Rows[Name]>
    : never
} & {
  [Head in Heads<keyof Rows>]: {
    [Name in Dotted<Rows, Head> as Name extends `${Head}.${infer Rest}`
      ? Rest
      : never]: Rows[Name] extends MethodRow ? ClientMethod<Rows[Name]> : never
  }
}

/** The typed client, derived from the table. */
export type Client = { readonly [N in Ns]: ClientNamespace<Methods[N]> }

/**
 * The handlers of a namespace: a method without one is a compile error, a stub has none. `Raw` is a form of
 * result that a handler may give instead, such as JSON text.
 */
export type Handlers<N extends Ns, Context, Raw = never> = {
  readonly [M in keyof Methods[N] as Methods[N][M] extends { readonly stub: true } ? never : M]: (
    args: ArgsOut<Methods[N][M] & MethodRow>,
    context: Context,
  ) => Answer<ResultOf<Methods[N][M] & MethodRow> | Raw>
}

type Answer<Result> = Result | Promise<Result>
