import type {
  AgentSessionCreateResult,
  CompletionMessage,
  CompletionResult,
  ModelPreferences,
} from '@svc/contract/client'
import type { PluginFinal, PluginFrame, PluginRun } from '@svc/contract/stdio'
import { openRequests, quiet, type RequestOptions, type Requests } from './requests.ts'

/** What a session is made of. */
export interface SessionOptions {
  /** `agent` where left out; `complete` has neither tools nor a history. */
  readonly kind?: 'agent' | 'complete'
  /** Which tools an agent has: those of the app, or those of one plugin. */
  readonly agentSubmode?: 'auto' | 'fixed'
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  readonly agent_submode?: 'auto' | 'fixed'
  /** The `tool_id` of the plugin, for `fixed`. */
  readonly fixedClientId?: string
  /** A name for lists of sessions. */
  readonly label?: string
  /** What the model is told before everything else. */
  readonly systemPrompt?: string
}

/** What the host says of a session; its token stays there. */
export type SessionInfo = AgentSessionCreateResult & {
  /** `complete`: a session of single completions. */
  readonly kind: 'agent' | 'complete'
  /** The label that it was made with. */
  readonly label: string | null
}

/** An image that goes with a run: `url` (public HTTPS) or `data` (base64). */
export interface RunAttachment {
  /** Its media type, such as `image/png`. */
  readonly type: string
  /** A public https:// URL of it; either this or `data`. */
  readonly url?: string
  /** Its bytes in base64. */
  readonly data?: string
  /** The name to show it under. */
  readonly filename?: string
  /** How closely the model should look. */
  readonly detail?: 'low' | 'high' | 'auto'
}

/** One turn of a session. Its frames come when it is over: the host sends them at once. */
export interface AgentRun extends AsyncIterable<PluginFrame> {
  /** The id of the run. */
  readonly runId: string
  /** The last frame: all of the text, and what the run took. Errors: `HostError`. */
  final(): Promise<PluginFinal>
  /** Stops it; what came until then comes as its frames. */
  cancel(): Promise<{ readonly cancelled: boolean }>
}

/** A session of this plugin. It outlives the call; a later one goes on by `client.session(appSessionUuid)`. */
export interface AgentSession {
  /** The id of the session. */
  readonly appSessionUuid: string
  /** What the host said when it was made; `null` for one that was made before. */
  readonly info: SessionInfo | null
  /** Starts the next turn, and returns its run at once. */
  run(text: string, attachments?: readonly RunAttachment[]): AgentRun
  /** Cancels a run, or all that wait or run. */
  cancel(runId?: string): Promise<{ readonly cancelled: boolean }>
  /** Ends the session and cancels its runs. */
  delete(): Promise<{ readonly deleted: true }>
}

/** A file for the host: bytes, or a path in the folder of the call (`TMPDIR`), from where a relative one counts. */
export type HostFile = (
  | {
      /** The bytes. */
      readonly bytes: Uint8Array
    }
  | {
      /** A path in the folder of the call. */
      readonly path: string
    }
) & {
  /** One of the media types that `upload.inline` takes. */
  readonly mime: string
  /** What it is for, in a word or two. */
  readonly purpose: string
  /** The name to save it under. */
  readonly filename?: string
}

/** A file that the host keeps; whoever knows its `url` can read it. */
export interface KeptFile {
  /** The id of the file. */
  readonly file_ref: string
  /** Where it can be read; public to whoever knows it. */
  readonly url: string
}

/**
 * What a plugin asks of the host within one call: sessions, completions, files. A tool has one as
 * `ctx.session`. A plugin with a loop of its own makes one for each call and hands it the answers that come in by
 * `dispatchResponse`. Every promise settles at the latest with `close`, which a call calls at its end.
 */
export class AgentSessionClient {
  readonly #requests: Requests

  constructor(options: RequestOptions) {
    this.#requests = openRequests(options)
  }

  /** Makes a session. Errors: `permission_denied`, `invalid_arg`, `APP_INVALID_REQUEST`, `APP_QUOTA_EXCEEDED`. */
  create(options: SessionOptions = {}): Promise<AgentSession> {
    const { kind = 'agent', agentSubmode, agent_submode, fixedClientId, label, systemPrompt } = options
    const made = this.#requests.ask<SessionInfo>('agent/session.create', {
      kind,
      agent_submode: agentSubmode ?? agent_submode,
      label,
      fixed_client_id: fixedClientId,
      system_prompt: systemPrompt,
    })
    return quiet(made.then((info) => openSession(this.#requests, info.app_session_uuid, info)))
  }

  /** A session that this plugin made before; whether it is still there says its first run. */
  session(appSessionUuid: string): AgentSession {
    return openSession(this.#requests, appSessionUuid, null)
  }

  /** Lets a model go on from messages; the result is that of `llm.complete`. */
  complete(
    messages: readonly CompletionMessage[],
    maxTokens?: number,
    modelPreferences?: ModelPreferences,
  ): Promise<CompletionResult> {
    return this.#requests.ask('llm/complete', { messages, max_tokens: maxTokens, modelPreferences })
  }

  /** Hands a file to the host. Errors: `invalid_arg`, `permission_denied`, `quota_exceeded`, `subcall_timeout`. */
  uploadFile({ mime, purpose, filename, ...file }: HostFile): Promise<KeptFile> {
    const content =
      'bytes' in file ? { bytes_b64: Buffer.from(file.bytes).toString('base64') } : { path: file.path }
    return this.#requests.ask('host/uploadFile', { ...content, mime, purpose, filename })
  }

  /** Takes an answer that came in; whether it was one to this client. */
  dispatchResponse(message: Readonly<Record<string, unknown>>): boolean {
    return this.#requests.take(message)
  }

  /** The same, by its name in snake case. */
  dispatch_response(message: Readonly<Record<string, unknown>>): boolean {
    return this.dispatchResponse(message)
  }

  /** Ends what waits, and all that is asked later, with a reason. Twice is harmless. */
  close(reason: unknown): void {
    this.#requests.close(reason)
  }
}

function openSession(requests: Requests, app_session_uuid: string, info: SessionInfo | null): AgentSession {
  const cancel = (run_id?: string) =>
    requests.ask<{ cancelled: boolean }>('agent/session.cancel', { app_session_uuid, run_id })
  return {
    appSessionUuid: app_session_uuid,
    info,
    cancel,
    delete: () => requests.ask('agent/session.delete', { app_session_uuid }),
    run(text, attachments) {
      const run_id = crypto.randomUUID()
      const answer = requests.ask<PluginRun>('agent/session.run', {
        app_session_uuid,
        text,
        attachments,
        run_id,
      })
      return {
        runId: run_id,
        final: () => quiet(answer.then(({ final }) => final)),
        cancel: () => cancel(run_id),
        async *[Symbol.asyncIterator]() {
          yield* (await answer).frames
        },
      }
    },
  }
}
