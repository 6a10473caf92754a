import type { z } from 'zod'
import { agent } from './agent.ts'
import { apps } from './apps.ts'
import { chat } from './chat.ts'
import { credentials } from './credentials.ts'
import type { MethodRow } from './define.ts'
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

/** The method table: the one truth about what a bundle can call. */
export const methods = {
  window,
  tools,
  storage,
  chat,
  agent,
  llm,
  image,
  upload,
  files,
  web,
  apps,
  credentials,
  mobile,
  artifact,
  fs,
  prefs,
}

/** Namespace → what it is for. */
export const namespaces: Readonly<Record<keyof typeof methods, string>> = {
  window: 'The window of the app: its title, size, views and end.',
  tools: 'Tools of plugins: call one, or start a job that may take up to a day.',
  storage: 'JSON values under keys, kept for the app.',
  chat: 'Cards in the chat beside the window.',
  agent: 'Sessions of an agent, which talk with a model that calls tools.',
  llm: 'Single replies of a model.',
  image: 'Images that a model draws.',
  upload: 'Files that get a public URL.',
  files: 'Files under paths, kept for the app.',
  web: 'The web, read and searched by the host.',
  apps: 'The apps that the user has installed.',
  credentials: 'Whether the plugins of the app have the credentials that they need.',
  mobile: 'What only a phone can do; not offered by this host.',
  artifact: 'Artifacts; not offered by this host.',
  fs: 'The file system; not offered by this host.',
  prefs: 'Preferences; not offered by this host.',
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
