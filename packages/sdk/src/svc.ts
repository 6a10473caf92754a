import type {
  Client,
  LlmClient,
  MethodName,
  ToolsClient,
  WindowClient,
  WindowDownloadResult,
} from '@svc/contract/client'
import type { HostContext } from '@svc/contract/wire'
import { createAgent, type LlmExtras, notLoaded, type SvcAgentSession } from './agent.ts'
import { systemClock } from './clock.ts'
import type { ConnectOptions, Hello } from './connection.ts'
import { documentConnection, once } from './document.ts'
import type { DownloadArgs } from './download.ts'
import type { EventHub, SdkEvent, SdkEvents } from './events.ts'
import { type OpenDocument, openDocument } from './open-document.ts'
import type { BeforeClose } from './page-calls.ts'
import { branch, type CallMethod, createClient, createNamespace } from './proxy.ts'
import { createTools, type ToolsExtras } from './tools.ts'

/** `svc.tools`: the methods of the host, and jobs. */
export interface SvcTools extends ToolsClient, ToolsExtras {}

/** `svc.agent`: sessions, which talk with a model that calls tools. */
export interface SvcAgent {
  /** Call it to get the handle of a session; its members are the methods of the host. */
  readonly session: SvcAgentSession
}

/** `svc.llm`: single replies of a model, whole or as a stream. */
export interface SvcLlm extends LlmClient, LlmExtras {}

/** `svc.window`: the window of the app, and its user's browser. */
export interface SvcWindow extends Omit<WindowClient, 'download'> {
  /**
   * Offers a file to the user: `data` that the document has, or an upload by `file_ref`. The page asks its user first, once
   * for each app, and the browser saves the file. The manifest declares `download` in `ui.browser`. Resolves when the page
   * has been told, whatever its user says.
   *
   * @throws HostRpcError `permission_denied`, `invalid_arg` for more than 256 MiB, `not_found` for no such upload, `rate_limited`.
   * @example
   * ```ts
   * await svc.window.download({ name: 'report.csv', data: rows.join('\n') })
   * ```
   */
  download(args: DownloadArgs): Promise<WindowDownloadResult>
}

/** The client object of an app: every namespace of the host API, events, and the window's surroundings. */
export interface Svc extends Omit<Client, 'window'> {
  /** The window of the app, and its user's browser. */
  readonly window: SvcWindow
  /** Tools of plugins: call one, or start a job that may take up to a day. */
  readonly tools: SvcTools
  /** Sessions of an agent, which talk with a model that calls tools. */
  readonly agent: SvcAgent
  /** Single replies of a model, whole or as a stream. */
  readonly llm: SvcLlm
  /** The result of the hello that the SDK sends by itself; `svc.window.hello()` sends another. */
  readonly ready: Promise<Hello>
  /** The page's theme, language, focus and styles; `undefined` until the page has said them. */
  readonly context: HostContext | undefined
  /**
   * Returns whether this host offers a method to this app, by what its `hello` lists. An older host refuses the
   * call itself with `not_implemented`. A host that lists no methods supports none.
   *
   * @throws HostRpcError `not_hosted`, as any call does.
   * @example
   * ```ts
   * if (await svc.supports('llm.stream')) showChat()
   * ```
   */
  supports(name: MethodName): Promise<boolean>
  /**
   * Subscribes to an event; what came before anybody listened is delivered first. Returns how to unsubscribe.
   *
   * @example
   * ```ts
   * const stop = svc.on('context', ({ theme }) => document.body.classList.toggle('dark', theme === 'dark'))
   * ```
   */
  on<Type extends SdkEvent>(type: Type, listener: SdkEvents[Type]): () => void
  /**
   * Adds a handler that is asked before the user closes the window: `false`, or a promise of it, keeps the window
   * open. The page waits 1 s. Returns how to remove it.
   *
   * @example
   * ```ts
   * svc.onBeforeClose(() => !hasUnsavedChanges)
   * ```
   */
  onBeforeClose(handler: BeforeClose): () => void
}

/** What `svc` has of its own; the rest are calls of the host. */
type Extras = Pick<
  Svc,
  'window' | 'tools' | 'agent' | 'llm' | 'ready' | 'context' | 'supports' | 'on' | 'onBeforeClose'
>

/** Makes the client object of a document, which `open` opens with the first use and returns from then on. */
export function createSvc(open: () => OpenDocument): Svc {
  const call: CallMethod = (...call) => open().connection.call(...call)
  const on: EventHub['on'] = (type, listener) => open().on(type, listener)
  const tools = createTools(open)
  const { session, ...llm } = createAgent(open)

  const extras: Omit<Extras, 'ready'> = {
    window: createNamespace(call, 'window', {
      download: async (args: DownloadArgs) => {
        const { download } = await import('./download.ts').catch((cause) => {
          throw notLoaded(cause)
        })
        return download(open(), args)
      },
    }) as SvcWindow,
    // The namespace with its methods: the proxy leaves what is here alone.
    tools: createNamespace(call, 'tools', tools) as SvcTools,
    agent: createNamespace(call, 'agent', {
      session: branch(call, 'agent', 'session', session),
    }) as SvcAgent,
    llm: createNamespace(call, 'llm', llm) as SvcLlm,
    async supports(name) {
      const { capabilities } = await open().connection.hello()
      return (capabilities as Partial<Hello['capabilities']> | undefined)?.methods?.includes(name) ?? false
    },
    get context() {
      return open().pageCalls.context
    },
    on,
    onBeforeClose: (handler) => open().pageCalls.onBeforeClose(handler),
  }
  // Reading it connects: who lists the members of `svc` to print or copy them does not ask for that.
  Object.defineProperty(extras, 'ready', {
    get() {
      const ready = open().connection.hello()
      ready.catch(() => undefined)
      return ready
    },
  })
  return createClient(call, extras) as Svc
}

/** Opens the document for `svc`, once. */
export const openSvc = (): OpenDocument =>
  once('whole', () => openDocument(documentConnection(), globalThis, systemClock))

/**
 * The host API as an app sees it. It connects by itself with the first use; several copies of the SDK in one
 * document share one connection. A failed call rejects with `HostRpcError`.
 *
 * @example
 * ```ts
 * import { svc } from '@svc/sdk'
 *
 * const { value } = await svc.storage.get({ key: 'settings' })
 * await svc.window.ready()
 * ```
 */
export const svc: Svc = /* @__PURE__ */ createSvc(openSvc)

/**
 * Connects the document to its host and returns `svc` once the host has answered. `svc` connects by itself too;
 * this tells early whether there is a host.
 *
 * @throws HostRpcError `not_hosted` when no host answers in 2 s, at once in a tab of its own.
 * @example
 * ```ts
 * const svc = await connect({ clientInfo: { build: '1.4.0' } })
 * ```
 */
export async function connect({ clientInfo }: ConnectOptions = {}): Promise<Svc> {
  await openSvc().connection.hello(clientInfo)
  return svc
}

/** Returns whether this document is in a host: true once one answered, false after 2 s, at once in a tab of its own. */
export const isHosted = (): Promise<boolean> => openSvc().connection.hosted()
