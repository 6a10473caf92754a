import type { Handlers, Ns } from '@svc/contract'
import { storage } from '../../data/storage/storage.ts'
import type { JsonText } from '../../kernel/json.ts'
import { agent } from './agent.ts'
import { apps } from './apps.ts'
import { chat } from './chat.ts'
import type { CallContext } from './context.ts'
import { credentials } from './credentials.ts'
import { files } from './files.ts'
import { image } from './image.ts'
import { llm } from './llm.ts'
import { tools } from './tools.ts'
import { upload } from './upload.ts'
import { web } from './web.ts'
import { window } from './window.ts'

/** A handler after its types were checked against its row: arguments come parsed. */
export type AnyHandler = (args: unknown, context: CallContext) => unknown

/** The handlers by `ns.method`. */
export type AnyHandlers = ReadonlyMap<string, AnyHandler>

/** Every namespace that has handlers; a row without one is a compile error here. Storage is its own handlers. */
const handlers: { readonly [N in Ns]: Handlers<N, CallContext, JsonText> } = {
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
  mobile: {},
  artifact: {},
  fs: {},
  prefs: {},
}

/** The table that the dispatch looks calls up in. */
export const handlerTable: AnyHandlers = new Map(
  Object.entries(handlers).flatMap(([ns, methods]) =>
    Object.entries(methods).map(([name, handler]) => [`${ns}.${name}`, handler as AnyHandler] as const),
  ),
)
