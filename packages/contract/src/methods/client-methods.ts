// Made from the tables of packages/contract by `npm run reference`; change the tables, not this file.

import type { CallOptions } from './call-options.ts'
import type { KnownCall, KnownResult, ToolName } from './known-tools.ts'

/** No fields. */
export type Nothing = Record<string, never>

/** One tool that an app may call. */
export interface ToolEntry {
  /** What `invoke` takes to call it. */
  tool_id: string
  /** The name of its plugin. */
  plugin_name: string
  /** Its own name in the plugin: the `method` of a call. */
  tool_name: ToolName
  /** What it does, as its plugin says. */
  description: string
  /** The JSON Schema of its arguments. */
  input_schema: Record<string, unknown>
  /** The JSON Schema of what its plugin returns; only where the plugin gives one. */
  output_schema?: Record<string, unknown> | undefined
  /** `deploying`: its plugin is being installed or asked what it offers; try again a little later. */
  status: 'available' | 'deploying' | 'unavailable'
  /** Only where its user has not agreed to its plugin, or where what is stored of it is wrong: that, in a sentence. */
  reason?: string | undefined
}

/** The state of a job. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** One progress message of a job. */
export interface JobProgress {
  /** Counts from 1; numbers are missing where old messages were dropped. */
  seq: number
  /** The type that the plugin gave it. */
  type: string
  /** What the plugin sent with it. */
  data: unknown
}

/** What is known of a job. */
export interface JobSnapshot {
  /** The id of the job. */
  jobId: string
  /** The tool_id that it was started with. */
  tool_id: string
  /** The tool of the plugin. */
  method: string
  /** The state of a job. */
  state: JobState
  /** Only of a job that succeeded. */
  result?: Record<string, unknown> | undefined
  /** Only of a job that failed, was cancelled or expired. */
  error?: {
    /** The code to branch on. */
    code: string
    /** What went wrong. */
    message: string
    /** More about it. */
    details?: Record<string, unknown> | undefined
  } | undefined
  /** What came after `sinceSeq`, oldest first. */
  progress: JobProgress[]
  /** The newest `seq`; 0 before the first progress. */
  lastSeq: number
  /** How many progress messages were too many or too large to be kept. */
  progressDropped: number
  /** When its process was last known to be alive, RFC 3339 in UTC; `null` before it runs. */
  lastHeartbeatAt: string | null
  /** When it was accepted, RFC 3339 in UTC. */
  createdAt: string
  /** When it began to run, RFC 3339 in UTC; `null` before. */
  startedAt: string | null
  /** When it ended, RFC 3339 in UTC; `null` before. */
  endedAt: string | null
  /** The tag that it was started with. */
  clientTag: string | null
  /** When it expires, in Unix ms. */
  deadlineMs: number
}

/** One message of a completion. */
export interface CompletionMessage {
  /** Who says it. */
  role: 'user' | 'assistant'
  /** What the message says. */
  content: {
    /** Text only. */
    type: 'text'
    /** The text. */
    text: string
  }
}

/** Which model a caller would like. */
export interface ModelPreferences {
  /** Models by name, the one liked best first. */
  hints?: {
    /** The beginning of a model's name. */
    name: string
  }[] | undefined
  /** How much a low price matters, 0 to 1. */
  costPriority?: number | undefined
  /** How much speed matters, 0 to 1. */
  speedPriority?: number | undefined
  /** How much ability matters, 0 to 1. */
  intelligencePriority?: number | undefined
}

/** The tokens that a model read and wrote. */
export interface Usage {
  /** Tokens that the model read. */
  inputTokens: number
  /** Tokens that it wrote. */
  outputTokens: number
  /** Both together. */
  totalTokens: number
}

/** Arguments of `svc.llm.complete` and `svc.llm.stream`. */
export interface CompletionArgs {
  /** The conversation so far, oldest first. */
  messages: CompletionMessage[]
  /** The most tokens to write, at least 1, lowered to the cap of the app, which is the default. */
  maxTokens?: number | undefined
  /** Which model a caller would like. */
  modelPreferences?: ModelPreferences | undefined
}

/** Result of `svc.llm.complete`. */
export interface CompletionResult {
  /** The model. */
  role: 'assistant'
  /** What the message says. */
  content: {
    /** Text only. */
    type: 'text'
    /** The text. */
    text: string
  }
  /** The name of the model. */
  model: string
  /** Why the text ends; `maxTokens`: it is cut off. */
  stopReason: 'endTurn' | 'stopSequence' | 'maxTokens'
  /** The tokens that a model read and wrote. */
  usage: Usage
  /** More about the end; only where text is missing. */
  details?: {
    /** Text is missing: a filter withheld it, or the model itself refused and says so. */
    stop_reason: 'content_filter' | 'refusal'
  } | undefined
}

/** A run that was accepted. */
export interface RunStarted {
  /** The stream that its frames come on. */
  stream_id: string
  /** The id of the run. */
  run_id: string
}

/** A run whose frames are sent again. */
export interface RunAttached {
  /** The stream that its frames come on. */
  stream_id: string
  /** The id of the run. */
  run_id: string
  /** The number of the newest frame. */
  last_seq: number
  /** Whether that frame is the last. */
  done: boolean
}

/** One image of a run. */
export interface Attachment {
  /** Its media type. */
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/svg+xml'
  /** A public https:// URL of it; either this or `data`. */
  url?: string | undefined
  /** Its bytes in base64, or a `data:` URI of the same type. */
  data?: string | undefined
  /** The name to save the file under, without slashes. */
  filename?: string | undefined
  /** How closely the model should look. */
  detail?: 'low' | 'high' | 'auto' | undefined
}

/** Caps of a session; what the user granted the app is the limit of each. */
export interface QuotaCaps {
  /** The most tokens that one run may write. */
  max_tokens_per_call?: number | undefined
  /** The most runs of the session in a day. */
  max_runs_per_day?: number | undefined
  /** The most runs of the session at once. */
  max_concurrent_runs?: number | undefined
}

/** One entry of a list of sessions. */
export interface SessionEntry {
  /** The id of the session. */
  app_session_uuid: string
  /** `complete`: a session of single completions. */
  kind: 'agent' | 'complete'
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  submode: 'auto' | 'fixed' | null
  /** The plugin of submode `fixed`. */
  fixed_client_id: string | null
  /** The label that it was made with. */
  label: string | null
  /** When it was made, RFC 3339 in UTC. */
  created_at: string
  /** When it was last used, RFC 3339 in UTC. */
  last_active_at: string
  /** When it ends if nothing happens, RFC 3339 in UTC. */
  expires_at: string
  /** When it ends in any case, RFC 3339 in UTC. */
  max_lifetime_at: string
  /** Ended sessions are listed with `include_expired` only. */
  state: 'active' | 'expired' | 'revoked'
}

/** One platform tool, and whether a session of this app may use it. */
export interface CatalogEntry {
  /** The name of the tool, as a model sees it. */
  name: string
  /** What it does. */
  description: string
  /** Whether it may be used in development. */
  dev_safe: boolean
  /** Whether the manifest declares it. */
  declared_in_manifest: boolean
  /** Whether the user granted it. */
  user_granted: boolean
  /** Whether a session of this app may use it. */
  eligible: boolean
  /** What is missing where it may not. */
  blocked_by?: 'manifest' | 'user_grant' | undefined
}

/** One part of a message in which tools were called. */
export type HistoryPart = {
  /** Text. */
  type: 'text'
  /** The text. */
  text: string
} | {
  /** A tool that the model called. */
  type: 'tool_call'
  /** The id of the call. */
  tool_call_id: string
  /** The name of the tool. */
  name: string
  /** JSON text as the model wrote it, or what should have been that. */
  arguments: string
} | {
  /** How such a call ended. */
  type: 'tool_result'
  /** The id of the call. */
  tool_call_id: string
  /** The name of the tool. */
  name: string
  /** What the tool returned. */
  output?: unknown
  /** What the model was told instead. */
  error?: {
    /** The code of the error. */
    code: string
    /** What the model was told. */
    message: string
  } | undefined
}

/** One message of a history: text, or parts where tools were called; never an image. */
export interface HistoryMessage {
  /** Who said it. */
  role: 'user' | 'assistant' | 'tool'
  /** Text, or parts where tools were called. */
  content: string | HistoryPart[]
  /** The run that it belongs to. */
  run_id: string
  /** The reply was cut off; what came until then is kept. */
  aborted?: true | undefined
}

/** A file without its bytes. */
export interface FileEntry {
  /** The path. */
  path: string
  /** Its media type. */
  mime: string
  /** The size of the file in bytes. */
  size_bytes: number
  /** Changes with every write; what `if_match` takes. */
  etag: string
  /** Counts the writes of the path. */
  generation: number
  /** When it was written last, RFC 3339 in UTC. */
  updated_at: string
}

/** An app that the user has installed. */
export interface InstalledApp {
  /** The id of the app. */
  app_id: string
  /** Its name in the manifest. */
  name: string
  /** The version that is installed. */
  version: string
  /** Its views. */
  views: {
    /** The name of the view. */
    name: string
    /** Its title in the manifest. */
    title?: string | undefined
    /** Whether it opens where no view is named. */
    default?: boolean | undefined
  }[]
}

/** Arguments of `svc.window.hello`. */
export interface WindowHelloArgs {
  /** What the host may log about the client. */
  client_info?: Record<string, unknown> | undefined
}

/** Result of `svc.window.hello`. */
export interface WindowHelloResult {
  /** The id of the window. */
  window_uuid: string
  /** The id of the app. */
  app_id: string
  /** The id of the version of the app that the window shows. */
  version_id: string
  /** The view that the window shows. */
  view_meta: {
    /** The name of the view in the manifest. */
    name: string
    /** Its title in the manifest. */
    title?: string | undefined
    /** The first width in CSS pixels. */
    w: number
    /** The first height in CSS pixels. */
    h: number
    /** The least width in CSS pixels. */
    min_w: number
    /** The least height in CSS pixels. */
    min_h: number
    /** The greatest width in CSS pixels. */
    max_w: number
    /** The greatest height in CSS pixels. */
    max_h: number
  }
  /** What this host offers to this window. */
  capabilities: {
    /** Every `ns.method` that this window may call. */
    methods: string[]
    /** The version of the host API. */
    dispatcher: string
    /** Where `svc.storage` keeps values. */
    storage: 'persistent' | 'window-state'
    /** Numbers that the client works with, in ms and counts; names as in the reference of limits. */
    limits: Record<string, number>
    /** The longest timeout in ms that a declared tool declares for itself, or the default. */
    tool_timeout_ms: number
  }
  /** What the window was opened with, such as the payload of `open_view`. */
  entry_payload: unknown
  /** The app that gave it that payload, by its id; `null`: the user, on the page. */
  opened_by: string | null
  /** The state that the host keeps for the window; `null` where it has none. */
  runtime_state: Record<string, unknown> | null
  /** The size of the window. */
  geometry: {
    /** The width in CSS pixels. */
    w: number
    /** The height in CSS pixels. */
    h: number
    /** Counts up with each focus. */
    z: number
  }
}

/** Arguments of `svc.window.set_title`. */
export interface WindowSetTitleArgs {
  /** The title, with something visible in it. 1–120 characters. */
  title: string
}

/** Arguments of `svc.window.resize`. */
export interface WindowResizeArgs {
  /** The width that is wanted in CSS pixels. */
  w: number
  /** The height that is wanted in CSS pixels. */
  h: number
}

/** Result of `svc.window.resize`. */
export interface WindowResizeResult {
  /** The width of the window in CSS pixels. */
  w: number
  /** The height of the window in CSS pixels. */
  h: number
}

/** Arguments of `svc.window.close`. */
export interface WindowCloseArgs {
  /** Why, for the page that holds the window. At most 200 characters. */
  reason?: string | undefined
}

/** Arguments of `svc.window.open_view`. */
export interface WindowOpenViewArgs {
  /** The name of the view in the manifest. 1–64 characters. */
  view: string
  /** JSON that the view gets as `entry_payload`. */
  payload?: unknown
}

/** Result of `svc.window.open_view`. */
export interface WindowOpenViewResult {
  /** The id of the window of that view. */
  window_uuid: string
}

/** Arguments of `svc.window.open_link`. */
export interface WindowOpenLinkArgs {
  /** The address, whole. At most 8 192 characters. */
  url: string
}

/** Result of `svc.window.open_link`. */
export interface WindowOpenLinkResult {
  /** The address as a browser writes it. */
  url: string
}

/** Arguments of `svc.window.download`. */
export interface WindowDownloadArgs {
  /** The name to save the file under; what no file may be called is replaced by `_`. 1–255 characters. */
  name: string
  /** The id of a file that the app uploaded. 1–64 characters. */
  file_ref?: string | undefined
  /** The size in bytes of `data`, which the page has. 0–268 435 456. */
  size_bytes?: number | undefined
}

/** Result of `svc.window.download`. */
export interface WindowDownloadResult {
  /** The name that the file is saved under. */
  name: string
  /** Where the file of `file_ref` is; `null` for `data`. */
  url: string | null
}

/** Arguments of `svc.window.report_error`. */
export interface WindowReportErrorArgs {
  /** What went wrong. 1–4 000 characters. */
  message: string
  /** The stack of the error. At most 16 000 characters. */
  stack?: string | undefined
  /** Anything more about it; `fatal: true` marks the window as crashed. */
  context?: Record<string, unknown> | undefined
}

/** Result of `svc.tools.list`. */
export interface ToolsListResult {
  /** The tools, each with its status. */
  tools: ToolEntry[]
}

/** Arguments of `svc.tools.invoke`. */
export interface ToolsInvokeArgs {
  /** The id or handle of a plugin, or that and the tool in one: `csv-stats.describe`. 1–256 characters. */
  tool_id: string
  /** The tool of the plugin. Left out: the one that tool_id names. At most 256 characters. */
  method?: string | undefined
  /** The arguments of the tool, as its input_schema has them. */
  args?: Record<string, unknown> | undefined
  /** How long the tool may take, in ms: at least 1 000, lowered to 90 000. */
  timeoutMs?: number | undefined
}

/** Arguments of `svc.tools.invokeAsync`. */
export interface ToolsInvokeAsyncArgs {
  /** The id or handle of a plugin, or that and the tool in one: `csv-stats.describe`. 1–256 characters. */
  tool_id: string
  /** The tool of the plugin. Left out: the one that tool_id names. At most 256 characters. */
  method?: string | undefined
  /** The arguments of the tool, as its input_schema has them. */
  args?: Record<string, unknown> | undefined
  /** The time until the job expires, in ms, moved into 60 000 to 86 400 000. */
  timeoutMs?: number | undefined
  /** A text of the app by which `listJobs` finds the job again. At most 120 characters. */
  clientTag?: string | undefined
}

/** Result of `svc.tools.invokeAsync`. */
export interface ToolsInvokeAsyncResult {
  /** The id of the job. */
  jobId: string
  /** The job waits to be run. */
  state: 'queued'
  /** When it expires, in Unix ms. */
  deadlineMs: number
}

/** Arguments of `svc.tools.getJob`. */
export interface ToolsGetJobArgs {
  /** The id of the job. */
  jobId: string
  /** The last progress that is known already. At least 0. Default 0. */
  sinceSeq?: number | undefined
  /** The most progress messages to return. 1–500. Default 500. */
  limit?: number | undefined
}

/** Arguments of `svc.tools.cancelJob`. */
export interface ToolsCancelJobArgs {
  /** The id of the job. */
  jobId: string
  /** Why, for whoever reads the job later. At most 200 characters. */
  reason?: string | undefined
}

/** Result of `svc.tools.cancelJob`. */
export interface ToolsCancelJobResult {
  /** The id of the job. */
  jobId: string
  /** The state of a job. */
  state: JobState
  /** Whether this call cancelled it. */
  cancelled: boolean
}

/** Arguments of `svc.tools.listJobs`. */
export interface ToolsListJobsArgs {
  /** Only jobs that were started with this tool_id. At most 256 characters. */
  tool_id?: string | undefined
  /** Only jobs in this state, or in one of these. */
  state?: JobState | JobState[] | undefined
  /** Only jobs with this tag. At most 120 characters. */
  clientTag?: string | undefined
  /** Only jobs that were accepted at this time or later, RFC 3339. */
  since?: string | undefined
  /** The most jobs to return. 1–100. Default 20. */
  limit?: number | undefined
}

/** Result of `svc.tools.listJobs`. */
export interface ToolsListJobsResult {
  /** The jobs, newest first. */
  jobs: JobSnapshot[]
  /** Whether there are more than `limit`. */
  truncated: boolean
}

/** Arguments of `svc.storage.get`. */
export interface StorageGetArgs {
  /** The key. 1–1 024 characters. */
  key: string
  /** `shared`: the values that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
}

/** Result of `svc.storage.get`. */
export interface StorageGetResult {
  /** The value. */
  value: unknown
  /** Names this version of the value; what `if_match` takes. */
  etag: string
  /** Counts the writes of the key. */
  generation: number
  /** Always true: a key without a value is `not_found`. */
  exists: boolean
}

/** Arguments of `svc.storage.set`. */
export interface StorageSetArgs {
  /** The key. 1–1 024 characters. */
  key: string
  /** Any JSON. */
  value: unknown
  /** `shared`: the values that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
  /** The etag that the stored value must have; `*`: any, but it must exist. Left out: no condition. */
  if_match?: string | undefined
  /** JSON that `list` returns with the key. */
  metadata?: Record<string, unknown> | undefined
  /** Texts that `list` returns with the key. At most 64 items. */
  tags?: string[] | undefined
  /** Seconds until the value is removed. 1–31 536 000. */
  ttl_seconds?: number | undefined
}

/** Result of `svc.storage.set`. */
export interface StorageSetResult {
  /** Names this version of the value; what `if_match` takes. */
  etag: string
  /** Counts the writes of the key. */
  generation: number
  /** The size of the value as JSON, in bytes. */
  size_bytes: number
  /** Only where the host keeps storage in the state of the window. */
  ok?: true | undefined
}

/** Arguments of `svc.storage.delete`. */
export interface StorageDeleteArgs {
  /** The key. 1–1 024 characters. */
  key: string
  /** `shared`: the values that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
  /** The etag that the stored value must have; `*`: any, but it must exist. Left out: no condition. */
  if_match?: string | undefined
}

/** Result of `svc.storage.delete`. */
export interface StorageDeleteResult {
  /** It is gone. */
  deleted: true
  /** Only where the host keeps storage in the state of the window. */
  ok?: true | undefined
}

/** Arguments of `svc.storage.list`. */
export interface StorageListArgs {
  /** What the keys begin with; there are no wildcards. At most 1 024 characters. */
  prefix?: string | undefined
  /** The next_cursor of the page before. At most 16 384 characters. */
  cursor?: string | null | undefined
  /** The most keys to return. 1–1 000. Default 100. */
  limit?: number | undefined
  /** `shared`: the values that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
}

/** Result of `svc.storage.list`. */
export interface StorageListResult {
  /** The keys of this page: fewer than `limit` where their metadata is large, perhaps none where many values have run out. */
  items: {
    /** The key. */
    key: string
    /** Names this version of the value; what `if_match` takes. */
    etag: string
    /** The size of the value as JSON, in bytes. */
    size_bytes: number
    /** What it was written with. */
    metadata: Record<string, unknown> | null
    /** What it was written with. */
    tags: string[] | null
    /** When it was written last, RFC 3339 in UTC. */
    updated_at: string | null
  }[]
  /** What `cursor` takes for the next page; `null` after the last. */
  next_cursor: string | null
}

/** Arguments of `svc.chat.append_artifact`. */
export interface ChatAppendArtifactArgs {
  /** The card. */
  artifact: {
    /** What kind of card it is, such as `text` or `image`. 1–64 characters. */
    kind: string
    /** The text that is shown. */
    summary?: string | undefined
    /** JSON that goes with the card. */
    data?: unknown
    /** The `file_ref` of a file that it shows. */
    payload_ref?: string | undefined
    /** The app that it is about. */
    app_slug?: string | undefined
  }
}

/** Result of `svc.chat.append_artifact`. */
export interface ChatAppendArtifactResult {
  /** The id of the card. */
  artifact_id: string
}

/** Arguments of `svc.agent.session.create`. */
export interface AgentSessionCreateArgs {
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  submode: 'auto' | 'fixed'
  /** The plugin of submode `fixed`; `null` is as if it were left out. 1–256 characters. */
  fixed_client_id?: string | null | undefined
  /** A name for lists of sessions. At most 120 characters. */
  label?: string | undefined
  /** What the model is told before everything else. */
  systemPrompt?: string | undefined
  /** Caps of a session; what the user granted the app is the limit of each. */
  quotaCaps?: QuotaCaps | undefined
}

/** Result of `svc.agent.session.create`. */
export interface AgentSessionCreateResult {
  /** The id of the session; begins with `aps_`. */
  app_session_uuid: string
  /** Seconds left of the session's token. */
  expires_in: number
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  submode: 'auto' | 'fixed' | null
  /** The plugin of submode `fixed`. */
  fixed_client_id: string | null
  /** When it ends if nothing happens, RFC 3339; each run moves it on. */
  expires_at: string
  /** When it ends in any case, RFC 3339. */
  max_lifetime_at: string
  /** Seconds without a run or refresh after which it ends. */
  idle_ttl_seconds: number
  /** Seconds until the nearer of the two ends. */
  session_expires_in: number
  /** The system prompt; `null` where it has none. */
  system_prompt: string | null
  /** The tools that its runs may use, by the names that the model sees. */
  granted_tools: string[]
  /** Whether platform tools are among them in submode `fixed`. */
  inherit_host_tools: boolean
}

/** Result of `svc.agent.session.catalog`. */
export interface AgentSessionCatalogResult {
  /** The platform tools. */
  platform_tools: CatalogEntry[]
  /** Whether sessions of submode `fixed` may use them too. */
  inherit_host_tools_granted: boolean
  /** The tools that the manifest declares. */
  manifest_declared: string[]
  /** The tools that the user granted. */
  user_granted: string[]
}

/** Arguments of `svc.agent.session.run`. */
export interface AgentSessionRunArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
  /** What the user says. 1–1 048 576 characters. */
  content: string
  /** Images to look at. At most 6 items. */
  attachments?: Attachment[] | undefined
  /** A uuid of your own, so that a repeated call is still one run. */
  run_id?: string | undefined
  /** The most steps (replies of the model and rounds of tools). 1–64. Default 8. */
  recursion_limit?: number | undefined
  /** A system prompt for this run only. */
  systemPrompt?: string | undefined
  /** The only tools that this run may use, by the names that the model sees. At most 1 024 items. */
  allowed_tools?: string[] | undefined
  /** Which model a caller would like. */
  modelPreferences?: ModelPreferences | undefined
}

/** Arguments of `svc.agent.session.cancel`. */
export interface AgentSessionCancelArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
  /** The id of the run, a uuid. */
  run_id: string
}

/** Result of `svc.agent.session.cancel`. */
export interface AgentSessionCancelResult {
  /** Whether it was still under way. */
  cancelled: boolean
}

/** Arguments of `svc.agent.session.attach`. */
export interface AgentSessionAttachArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
  /** The id of the run, a uuid. */
  run_id: string
  /** The last frame that is known already. At least 0. Default 0. */
  after_seq?: number | undefined
}

/** Arguments of `svc.agent.session.history`. */
export interface AgentSessionHistoryArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
  /** The most messages to return, moved into 1 to 200. */
  limit?: number | undefined
}

/** Result of `svc.agent.session.history`. */
export interface AgentSessionHistoryResult {
  /** The messages, oldest first. */
  messages: HistoryMessage[]
}

/** Arguments of `svc.agent.session.list`. */
export interface AgentSessionListArgs {
  /** Lists those that have ended too. Default false. */
  include_expired?: boolean | undefined
  /** The most sessions to return, moved into 1 to 100. */
  limit?: number | undefined
}

/** Result of `svc.agent.session.list`. */
export interface AgentSessionListResult {
  /** The sessions, newest first. */
  sessions: SessionEntry[]
}

/** Arguments of `svc.agent.session.delete`. */
export interface AgentSessionDeleteArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
}

/** Result of `svc.agent.session.delete`. */
export interface AgentSessionDeleteResult {
  /** It has ended. */
  deleted: true
}

/** Arguments of `svc.agent.session.refresh`. */
export interface AgentSessionRefreshArgs {
  /** The id of the session; begins with `aps_`. At most 64 characters. */
  app_session_uuid: string
}

/** Result of `svc.agent.session.refresh`. */
export interface AgentSessionRefreshResult {
  /** The id of the session; begins with `aps_`. */
  app_session_uuid: string
  /** Seconds left of the session's token. */
  expires_in: number
  /** `auto`: the tools that the user granted. `fixed`: those of one plugin. */
  submode: 'auto' | 'fixed' | null
  /** The plugin of submode `fixed`. */
  fixed_client_id: string | null
  /** When it ends if nothing happens, RFC 3339; each run moves it on. */
  expires_at: string
  /** When it ends in any case, RFC 3339. */
  max_lifetime_at: string
  /** Seconds without a run or refresh after which it ends. */
  idle_ttl_seconds: number
  /** Seconds until the nearer of the two ends. */
  session_expires_in: number
}

/** Arguments of `svc.llm.attach`. */
export interface LlmAttachArgs {
  /** The id of the run, a uuid. */
  run_id: string
  /** The last frame that is known already. At least 0. Default 0. */
  after_seq?: number | undefined
}

/** Arguments of `svc.llm.cancel`. */
export interface LlmCancelArgs {
  /** The id of the run, a uuid. */
  run_id: string
}

/** Result of `svc.llm.cancel`. */
export interface LlmCancelResult {
  /** Whether it was still under way. */
  cancelled: boolean
}

/** Arguments of `svc.llm.embed`. */
export interface LlmEmbedArgs {
  /** A text, or 1 to 128 of them; none may be empty. At least 1 character. */
  input: string | string[]
  /** The model that is wanted. 1–128 characters. */
  model?: string | undefined
}

/** Result of `svc.llm.embed`. */
export interface LlmEmbedResult {
  /** One vector for each text, in their order. */
  embeddings: number[][]
  /** The name of the model. */
  model: string
  /** The tokens that a model read and wrote. */
  usage: Usage
}

/** Arguments of `svc.image.generate`. */
export interface ImageGenerateArgs {
  /** What to draw. 1–8 000 characters. */
  prompt: string
  /** How many images. 1–4. Default 1. */
  n?: number | undefined
  /** Width and height in pixels, 16 to 4096 each, such as `512x512`. At most 64 characters. */
  size?: string | undefined
  /** Has no effect: a host has one image model. At most 128 characters. */
  model_hint?: string | undefined
}

/** Result of `svc.image.generate`. */
export interface ImageGenerateResult {
  /** The images. */
  images: {
    /** Where it can be shown from; public to whoever knows it. */
    url: string
    /** What `edit` takes as `image_ref`. */
    file_ref: string
    /** Its media type. */
    mime: string
    /** The name of the model that made it; the development model is `svc-dev`. */
    model: string
  }[]
}

/** Arguments of `svc.image.edit`. */
export interface ImageEditArgs {
  /** What to draw. 1–8 000 characters. */
  prompt: string
  /** How many images. 1–4. Default 1. */
  n?: number | undefined
  /** Width and height in pixels, 16 to 4096 each, such as `512x512`. At most 64 characters. */
  size?: string | undefined
  /** The `file_ref` or the `url` of a file of this app. 1–1 024 characters. */
  image_ref: string
}

/** Result of `svc.image.edit`. */
export interface ImageEditResult {
  /** The images. */
  images: {
    /** Where it can be shown from; public to whoever knows it. */
    url: string
    /** What `edit` takes as `image_ref`. */
    file_ref: string
    /** Its media type. */
    mime: string
    /** The name of the model that made it; the development model is `svc-dev`. */
    model: string
  }[]
}

/** Arguments of `svc.upload.inline`. */
export interface UploadInlineArgs {
  /** The bytes in base64. At least 1 character. */
  bytes_b64: string
  /** The media type of the file. */
  mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/svg+xml' | 'application/pdf' | 'application/json' | 'application/zip' | 'application/octet-stream' | 'text/plain' | 'text/csv' | 'text/markdown'
  /** What the file is for. 1–64 characters. */
  purpose: string
  /** The name to save the file under, without slashes. 1–255 characters. */
  filename?: string | undefined
}

/** Result of `svc.upload.inline`. */
export interface UploadInlineResult {
  /** The id of the file. */
  file_ref: string
  /** Where the file can be read; public to whoever knows it. */
  url: string
}

/** Arguments of `svc.upload.negotiate`. */
export interface UploadNegotiateArgs {
  /** The media type of the file. */
  mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/svg+xml' | 'application/pdf' | 'application/json' | 'application/zip' | 'application/octet-stream' | 'text/plain' | 'text/csv' | 'text/markdown'
  /** What the file is for. 1–64 characters. */
  purpose: string
  /** The exact size of the file in bytes. 1–20 971 520. */
  size_bytes: number
  /** The name to save the file under, without slashes. 1–255 characters. */
  filename?: string | undefined
}

/** Result of `svc.upload.negotiate`. */
export interface UploadNegotiateResult {
  /** Takes the raw bytes by PUT, once. */
  upload_url: string
  /** What `confirm` takes. */
  file_ref: string
}

/** Arguments of `svc.upload.confirm`. */
export interface UploadConfirmArgs {
  /** The id of the file, as `inline` or `negotiate` returned it. 1–64 characters. */
  file_ref: string
}

/** Result of `svc.upload.confirm`. */
export interface UploadConfirmResult {
  /** Where the file can be read; public to whoever knows it. */
  url: string
  /** The id of the file. */
  file_ref: string
  /** Its media type. */
  mime: string
  /** Its size in bytes. */
  size_bytes: number
  /** What it is for. */
  purpose: string
  /** Its name, where it was given one. */
  filename: string | null
}

/** Arguments of `svc.upload.list`. */
export interface UploadListArgs {
  /** The next_cursor of the page before. At most 16 384 characters. */
  cursor?: string | null | undefined
  /** The most files to return. 1–1 000. Default 100. */
  limit?: number | undefined
}

/** Result of `svc.upload.list`. */
export interface UploadListResult {
  /** The files of this page. */
  items: {
    /** The id of the file. */
    file_ref: string
    /** Where it can be read; `null` until the upload is confirmed. */
    url: string | null
    /** Its media type. */
    mime: string
    /** Its size in bytes. */
    size_bytes: number
    /** What it is for. */
    purpose: string
    /** Its name, where it was given one. */
    filename: string | null
    /** When it was made or negotiated, as ISO 8601. */
    created_at: string
  }[]
  /** What `cursor` takes for the next page; `null` after the last. */
  next_cursor: string | null
}

/** Arguments of `svc.upload.delete`. */
export interface UploadDeleteArgs {
  /** The id of the file, as `inline` or `negotiate` returned it. 1–64 characters. */
  file_ref: string
}

/** Result of `svc.upload.delete`. */
export interface UploadDeleteResult {
  /** The file is gone. */
  deleted: true
}

/** Arguments of `svc.files.list`. */
export interface FilesListArgs {
  /** What the paths begin with; there are no wildcards. At most 1 024 characters. */
  prefix?: string | undefined
  /** The next_cursor of the page before. At most 16 384 characters. */
  cursor?: string | null | undefined
  /** The most files to return. 1–1 000. Default 100. */
  limit?: number | undefined
  /** `shared`: the files that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
}

/** Result of `svc.files.list`. */
export interface FilesListResult {
  /** The files of this page. */
  items: FileEntry[]
  /** What `cursor` takes for the next page; `null` after the last. */
  next_cursor: string | null
}

/** Arguments of `svc.files.read`. */
export interface FilesReadArgs {
  /** The path: names joined by single slashes. 1–1 024 characters. */
  path: string
  /** `shared`: the files that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
  /** The form that is wanted. Left out: as it was written. */
  as?: 'text' | 'bytes_b64' | undefined
}

/** Result of `svc.files.read`. */
export interface FilesReadResult {
  /** The path. */
  path: string
  /** Its media type. */
  mime: string
  /** The size of the file in bytes. */
  size_bytes: number
  /** Changes with every write; what `if_match` takes. */
  etag: string
  /** Counts the writes of the path. */
  generation: number
  /** When it was written last, RFC 3339 in UTC. */
  updated_at: string
  /** The text, in that form. */
  text?: string | undefined
  /** The bytes in base64, in that form. */
  bytes_b64?: string | undefined
}

/** Arguments of `svc.files.write`. */
export interface FilesWriteArgs {
  /** The path: names joined by single slashes. 1–1 024 characters. */
  path: string
  /** The whole text; either this or `bytes_b64`. */
  text?: string | undefined
  /** The whole file in base64. */
  bytes_b64?: string | undefined
  /** Its media type. Left out: `text/plain` for text, `application/octet-stream` for bytes. At most 127 characters. */
  mime?: string | undefined
  /** `shared`: the files that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
  /** The etag that the file must have; `*`: any, but it must exist. Left out: no condition. */
  if_match?: string | undefined
}

/** Result of `svc.files.write`. */
export interface FilesWriteResult {
  /** Changes with every write; what `if_match` takes. */
  etag: string
  /** Counts the writes of the path. */
  generation: number
  /** The size of the file in bytes. */
  size_bytes: number
}

/** Arguments of `svc.files.delete`. */
export interface FilesDeleteArgs {
  /** The path: names joined by single slashes. 1–1 024 characters. */
  path: string
  /** `shared`: the files that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
  /** The etag that the file must have; `*`: any, but it must exist. Left out: no condition. */
  if_match?: string | undefined
}

/** Result of `svc.files.delete`. */
export interface FilesDeleteResult {
  /** It is gone. */
  deleted: true
}

/** Arguments of `svc.files.stat`. */
export interface FilesStatArgs {
  /** The path: names joined by single slashes. 1–1 024 characters. */
  path: string
  /** `shared`: the files that all users of the app share, where its install grants that scope. Default "app". */
  scope?: 'app' | 'shared' | undefined
}

/** Arguments of `svc.web.fetch`. */
export interface WebFetchArgs {
  /** A public https:// URL. At least 1 character. */
  url: string
  /** GET only. Default "GET". */
  method?: 'GET' | undefined
}

/** Result of `svc.web.fetch`. */
export interface WebFetchResult {
  /** The URL that was read, after redirects. */
  url: string
  /** The media type that the server named, without parameters; empty where it named none. */
  mime: string
  /** The size of what was read, in bytes. */
  size_bytes: number
  /** The text, where it is text. */
  text?: string | undefined
  /** The bytes in base64, where it is not text. */
  bytes_b64?: string | undefined
}

/** Arguments of `svc.web.search`. */
export interface WebSearchArgs {
  /** What to search for. 1–400 characters. */
  query: string
  /** The most results to return. 1–20. Default 10. */
  limit?: number | undefined
}

/** Result of `svc.web.search`. */
export interface WebSearchResult {
  /** The results, best first. */
  results: {
    /** The title of the page. */
    title: string
    /** Its address. */
    url: string
    /** A part of its text. */
    snippet: string
  }[]
}

/** Result of `svc.apps.list`. */
export interface AppsListResult {
  /** The apps, this one among them. */
  apps: InstalledApp[]
}

/** Arguments of `svc.apps.get`. */
export interface AppsGetArgs {
  /** The id of the app. 1–64 characters. */
  app_id: string
}

/** Arguments of `svc.apps.open`. */
export interface AppsOpenArgs {
  /** The id of the app. 1–64 characters. */
  app_id: string
  /** The view. Left out: the default one. 1–64 characters. */
  view?: string | undefined
  /** JSON that the view gets as `entry_payload`. */
  payload?: unknown
}

/** Result of `svc.apps.open`. */
export interface AppsOpenResult {
  /** The id of the window of that view. */
  window_uuid: string
}

/** Result of `svc.credentials.list`. */
export interface CredentialsListResult {
  /** The credentials. */
  credentials: {
    /** The name of the credential. */
    name: string
    /** `granted`: the plugins that ask for it have it. `pending`: the user was asked. `missing`: neither. */
    status: 'granted' | 'pending' | 'missing'
    /** What it is for, as the plugin says. */
    description: string | null
    /** The names of the plugins that ask for it. */
    plugins: string[]
  }[]
}

/** Arguments of `svc.credentials.status`. */
export interface CredentialsStatusArgs {
  /** The name of the credential, as the plugin has it. 1–128 characters. */
  name: string
}

/** Result of `svc.credentials.status`. */
export interface CredentialsStatusResult {
  /** The name of the credential. */
  name: string
  /** `granted`: the plugins that ask for it have it. `pending`: the user was asked. `missing`: neither. */
  status: 'granted' | 'pending' | 'missing'
}

/** Arguments of `svc.credentials.request`. */
export interface CredentialsRequestArgs {
  /** The name of the credential, as the plugin has it. 1–128 characters. */
  name: string
}

/** Result of `svc.credentials.request`. */
export interface CredentialsRequestResult {
  /** The name of the credential. */
  name: string
  /** `granted`: the plugins that ask for it have it. `pending`: the user was asked. `missing`: neither. */
  status: 'granted' | 'pending' | 'missing'
}

/** The window of the app: its title, size, views and end. */
export interface WindowClient {
  /**
   * Says that the document is there, and returns what it needs to know of its window, app and host. The
   * SDK calls it by itself: `await svc.ready` is its result.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.client_info What the host may log about the client.
   * @example
   * ```ts
   * const { entry_payload } = await svc.ready
   * ```
   */
  hello(args?: WindowHelloArgs, options?: CallOptions): Promise<WindowHelloResult>

  /**
   * Says that the first paint is done: the page stops showing that the app loads.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @example
   * ```ts
   * render()
   * await svc.window.ready()
   * ```
   */
  ready(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Says that the document is alive. The SDK sends it by itself every 10 s.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @example
   * ```ts
   * await svc.window.heartbeat()
   * ```
   */
  heartbeat(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Gives the window a title.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.title The title, with something visible in it. 1–120 characters.
   * @example
   * ```ts
   * await svc.window.set_title({ title: 'Report 2026' })
   * ```
   */
  set_title(args: WindowSetTitleArgs, options?: CallOptions): Promise<Nothing>

  /**
   * Asks for a size, and returns the one that the bounds of the view allow.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.w The width that is wanted in CSS pixels.
   * @param args.h The height that is wanted in CSS pixels.
   * @example
   * ```ts
   * const { w, h } = await svc.window.resize({ w: 800, h: 600 })
   * ```
   */
  resize(args: WindowResizeArgs, options?: CallOptions): Promise<WindowResizeResult>

  /**
   * Raises the window above the others.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @example
   * ```ts
   * await svc.window.focus()
   * ```
   */
  focus(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Closes the window.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.reason Why, for the page that holds the window. At most 200 characters.
   * @example
   * ```ts
   * await svc.window.close({ reason: 'done' })
   * ```
   */
  close(args?: WindowCloseArgs, options?: CallOptions): Promise<Nothing>

  /**
   * Opens another view of the same app, or brings it to the front.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.view The name of the view in the manifest. 1–64 characters.
   * @param args.payload JSON that the view gets as `entry_payload`.
   * @throws HostRpcError `not_found`, `bundle_not_ready`, `quota_exceeded`
   * @example
   * ```ts
   * await svc.window.open_view({ view: 'settings', payload: { tab: 'account' } })
   * ```
   */
  open_view(args: WindowOpenViewArgs, options?: CallOptions): Promise<WindowOpenViewResult>

  /**
   * Opens a page of another site, or a mail or phone address, in a new tab: the page around the window
   * asks its user first, once for each site. Links in the document lead here by themselves. Resolves
   * when the page has been told, whatever its user says.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.url The address, whole. At most 8 192 characters.
   * @example
   * ```ts
   * await svc.window.open_link({ url: 'https://example.org/terms' })
   * ```
   */
  open_link(args: WindowOpenLinkArgs, options?: CallOptions): Promise<WindowOpenLinkResult>

  /**
   * Offers a file to the user: `data`, a text, a `Blob` or bytes that the client sends to the page
   * itself, or a file that the app uploaded, by `file_ref`. The page asks its user first, once for each
   * app, and the browser saves the file. Links with `download` in the document lead here by themselves.
   * The manifest declares `download` in `ui.browser`. Resolves when the page has been told, whatever its
   * user says.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.name The name to save the file under; what no file may be called is replaced by `_`.
   * 1–255 characters.
   * @param args.file_ref The id of a file that the app uploaded. 1–64 characters.
   * @param args.size_bytes The size in bytes of `data`, which the page has. 0–268 435 456.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * await svc.window.download({ name: 'greeting.txt', data: 'Hello' })
   * ```
   */
  download(args: WindowDownloadArgs, options?: CallOptions): Promise<WindowDownloadResult>

  /**
   * Reports an error of the app. The SDK reports uncaught errors and rejections by itself.
   *
   * Always allowed: the manifest needs no line for it.
   *
   * @param args.message What went wrong. 1–4 000 characters.
   * @param args.stack The stack of the error. At most 16 000 characters.
   * @param args.context Anything more about it; `fatal: true` marks the window as crashed.
   * @example
   * ```ts
   * await svc.window.report_error({ message: 'no chart data', context: { fatal: true } })
   * ```
   */
  report_error(args: WindowReportErrorArgs, options?: CallOptions): Promise<Nothing>
}

/** Tools of plugins: call one, or start a job that may take up to a day. */
export interface ToolsClient {
  /**
   * Lists the tools that this app may call.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @example
   * ```ts
   * const { tools } = await svc.tools.list()
   * ```
   */
  list(args?: Nothing, options?: CallOptions): Promise<ToolsListResult>

  /**
   * Calls a tool, waits for its result and returns it: `invoke<Report>(…)` gives the result that type.
   * For a call that may take longer than 90 s there is `invokeAsyncAwait`.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @param args.tool_id The id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.
   * 1–256 characters.
   * @param args.method The tool of the plugin. Left out: the one that tool_id names. At most 256
   * characters.
   * @param args.args The arguments of the tool, as its input_schema has them.
   * @param args.timeoutMs How long the tool may take, in ms: at least 1 000, lowered to 90 000.
   * @throws HostRpcError `agent_unavailable`, `plug_unavailable`, `plug_error`, `tool_failed`,
   * `tool_timeout`, `result_too_large`, `rate_limited`, `cancelled`
   * @example
   * ```ts
   * const report = await svc.tools.invoke<{ rows: number }>({
   *   tool_id: 'csv-stats.describe',
   *   args: { csv: 'a,b\n1,2' },
   * })
   * ```
   */
  invoke<Result extends object = Record<string, unknown>, Id extends string = string, Tool extends string = string>(args: KnownCall<ToolsInvokeArgs, Id, Tool>, options?: CallOptions): Promise<KnownResult<Result, Id, Tool>>

  /**
   * Starts a job, which may take up to a day, and returns its id. `invokeAsyncAwait` also waits for its
   * result.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @param args.tool_id The id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.
   * 1–256 characters.
   * @param args.method The tool of the plugin. Left out: the one that tool_id names. At most 256
   * characters.
   * @param args.args The arguments of the tool, as its input_schema has them.
   * @param args.timeoutMs The time until the job expires, in ms, moved into 60 000 to 86 400 000.
   * @param args.clientTag A text of the app by which `listJobs` finds the job again. At most 120
   * characters.
   * @throws HostRpcError `agent_unavailable`, `plug_unavailable`, `job_quota_exceeded`,
   * `long_job_capacity`
   * @example
   * ```ts
   * const { jobId } = await svc.tools.invokeAsync({ tool_id: 'index.build', args: { folder: '/data' } })
   * const result = await svc.tools.job(jobId).result()
   * ```
   */
  invokeAsync<Id extends string = string, Tool extends string = string>(args: KnownCall<ToolsInvokeAsyncArgs, Id, Tool>, options?: CallOptions): Promise<ToolsInvokeAsyncResult>

  /**
   * Reads a job and its progress.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @param args.jobId The id of the job.
   * @param args.sinceSeq The last progress that is known already. At least 0. Default 0.
   * @param args.limit The most progress messages to return. 1–500. Default 500.
   * @throws HostRpcError `job_not_found`
   * @example
   * ```ts
   * const { state, progress } = await svc.tools.getJob({ jobId })
   * ```
   */
  getJob(args: ToolsGetJobArgs, options?: CallOptions): Promise<JobSnapshot>

  /**
   * Cancels a job. One that has ended stays as it is, and the result says how it ended.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @param args.jobId The id of the job.
   * @param args.reason Why, for whoever reads the job later. At most 200 characters.
   * @throws HostRpcError `job_not_found`
   * @example
   * ```ts
   * const { cancelled } = await svc.tools.cancelJob({ jobId, reason: 'not needed any more' })
   * ```
   */
  cancelJob(args: ToolsCancelJobArgs, options?: CallOptions): Promise<ToolsCancelJobResult>

  /**
   * Lists the jobs of this app and user of the last seven days, newest first, each with its last
   * progress.
   *
   * Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.
   *
   * @param args.tool_id Only jobs that were started with this tool_id. At most 256 characters.
   * @param args.state Only jobs in this state, or in one of these.
   * @param args.clientTag Only jobs with this tag. At most 120 characters.
   * @param args.since Only jobs that were accepted at this time or later, RFC 3339.
   * @param args.limit The most jobs to return. 1–100. Default 20.
   * @example
   * ```ts
   * const { jobs } = await svc.tools.listJobs({ state: ['queued', 'running'] })
   * ```
   */
  listJobs(args?: ToolsListJobsArgs, options?: CallOptions): Promise<ToolsListJobsResult>
}

/** JSON values under keys, kept for the app. */
export interface StorageClient {
  /**
   * Reads a value and the etag that names this version of it.
   *
   * Manifest: `"ui": {"host_api": {"storage": ["get"]}}`.
   *
   * @param args.key The key. 1–1 024 characters.
   * @param args.scope `shared`: the values that all users of the app share, where its install grants
   * that scope. Default "app".
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { value, etag } = await svc.storage.get({ key: 'settings' })
   * ```
   */
  get(args: StorageGetArgs, options?: CallOptions): Promise<StorageGetResult>

  /**
   * Writes a value and returns its etag. With if_match it writes only if nobody has changed the value
   * since. Keys and bytes of an app and of a user are capped (`quota_exceeded`).
   *
   * Manifest: `"ui": {"host_api": {"storage": ["set"]}}`.
   *
   * @param args.key The key. 1–1 024 characters.
   * @param args.value Any JSON.
   * @param args.scope `shared`: the values that all users of the app share, where its install grants
   * that scope. Default "app".
   * @param args.if_match The etag that the stored value must have; `*`: any, but it must exist. Left
   * out: no condition.
   * @param args.metadata JSON that `list` returns with the key.
   * @param args.tags Texts that `list` returns with the key. At most 64 items.
   * @param args.ttl_seconds Seconds until the value is removed. 1–31 536 000.
   * @throws HostRpcError `precondition_failed`, `quota_exceeded`, `state_too_large`
   * @example
   * ```ts
   * const { value, etag } = await svc.storage.get({ key: 'note' })
   * try {
   *   await svc.storage.set({ key: 'note', value: edited, if_match: etag })
   * } catch (error) {
   *   if (!isHostRpcError(error) || error.code !== 'precondition_failed') throw error
   *   showConflict()
   * }
   * ```
   */
  set(args: StorageSetArgs, options?: CallOptions): Promise<StorageSetResult>

  /**
   * Removes a value.
   *
   * Manifest: `"ui": {"host_api": {"storage": ["delete"]}}`.
   *
   * @param args.key The key. 1–1 024 characters.
   * @param args.scope `shared`: the values that all users of the app share, where its install grants
   * that scope. Default "app".
   * @param args.if_match The etag that the stored value must have; `*`: any, but it must exist. Left
   * out: no condition.
   * @throws HostRpcError `not_found`, `precondition_failed`
   * @example
   * ```ts
   * await svc.storage.delete({ key: 'note' })
   * ```
   */
  delete(args: StorageDeleteArgs, options?: CallOptions): Promise<StorageDeleteResult>

  /**
   * Lists keys in order, a page at a time.
   *
   * Manifest: `"ui": {"host_api": {"storage": ["list"]}}`.
   *
   * @param args.prefix What the keys begin with; there are no wildcards. At most 1 024 characters.
   * @param args.cursor The next_cursor of the page before. At most 16 384 characters.
   * @param args.limit The most keys to return. 1–1 000. Default 100.
   * @param args.scope `shared`: the values that all users of the app share, where its install grants
   * that scope. Default "app".
   * @example
   * ```ts
   * const { items, next_cursor } = await svc.storage.list({ prefix: 'notes/' })
   * ```
   */
  list(args?: StorageListArgs, options?: CallOptions): Promise<StorageListResult>
}

/** Cards in the chat beside the window. */
export interface ChatClient {
  /**
   * Puts a card into the chat beside the window. It is shown now and kept nowhere, and no model sees it.
   *
   * Manifest: `"ui": {"host_api": {"chat": ["append_artifact"]}}`.
   *
   * @param args.artifact The card.
   * @example
   * ```ts
   * await svc.chat.append_artifact({ artifact: { kind: 'text', summary: 'Report saved', data: { id: 7 } } })
   * ```
   */
  append_artifact(args: ChatAppendArtifactArgs, options?: CallOptions): Promise<ChatAppendArtifactResult>

  /**
   * Reads the chat; not offered.
   *
   * Manifest: `"ui": {"host_api": {"chat": ["read_history"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  read_history(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Writes into the chat; not offered.
   *
   * Manifest: `"ui": {"host_api": {"chat": ["write_message"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  write_message(args?: Nothing, options?: CallOptions): Promise<Nothing>
}

/** The methods of `svc.agent.session`. */
export interface AgentSessionClient {
  /**
   * Makes a session. It may use what the manifest declares, the user granted and its submode gives.
   * `svc.agent.session(…)` returns a handle instead.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.submode `auto`: the tools that the user granted. `fixed`: those of one plugin.
   * @param args.fixed_client_id The plugin of submode `fixed`; `null` is as if it were left out. 1–256
   * characters.
   * @param args.label A name for lists of sessions. At most 120 characters.
   * @param args.systemPrompt What the model is told before everything else.
   * @param args.quotaCaps Caps of a session; what the user granted the app is the limit of each.
   * @throws HostRpcError `APP_INVALID_REQUEST`, `not_found`, `not_implemented`
   * @example
   * ```ts
   * const session = await svc.agent.session({ submode: 'auto', systemPrompt: 'You plan trips.' })
   * const run = await session.run('Three days in Lisbon')
   * for await (const piece of run.text()) show(piece)
   * ```
   */
  create(args: AgentSessionCreateArgs, options?: CallOptions): Promise<AgentSessionCreateResult>

  /**
   * Lists the platform tools, and says for each whether a session of this app may use it or what is
   * missing.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @example
   * ```ts
   * const { platform_tools } = await svc.agent.session.catalog()
   * ```
   */
  catalog(args?: Nothing, options?: CallOptions): Promise<AgentSessionCatalogResult>

  /**
   * Starts the next turn of a session and returns at once; the frames follow as rpc.stream events. The
   * same run_id with the same arguments is one run.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @param args.content What the user says. 1–1 048 576 characters.
   * @param args.attachments Images to look at. At most 6 items.
   * @param args.run_id A uuid of your own, so that a repeated call is still one run.
   * @param args.recursion_limit The most steps (replies of the model and rounds of tools). 1–64. Default
   * 8.
   * @param args.systemPrompt A system prompt for this run only.
   * @param args.allowed_tools The only tools that this run may use, by the names that the model sees. At
   * most 1 024 items.
   * @param args.modelPreferences Which model a caller would like.
   * @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`,
   * `APP_QUOTA_EXCEEDED`, `APP_INVALID_REQUEST`, `APP_MODEL_NOT_VISION_CAPABLE`
   * @example
   * ```ts
   * const { run_id } = await svc.agent.session.run({ app_session_uuid, content: 'And the day after?' })
   * ```
   */
  run(args: AgentSessionRunArgs, options?: CallOptions): Promise<RunStarted>

  /**
   * Cancels a run. It stops at its next checkpoint, and its end frame says so.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @param args.run_id The id of the run, a uuid.
   * @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`
   * @example
   * ```ts
   * await svc.agent.session.cancel({ app_session_uuid, run_id })
   * ```
   */
  cancel(args: AgentSessionCancelArgs, options?: CallOptions): Promise<AgentSessionCancelResult>

  /**
   * Sends the frames of a run again to the calling window, with the numbers that they have, and those
   * that follow.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @param args.run_id The id of the run, a uuid.
   * @param args.after_seq The last frame that is known already. At least 0. Default 0.
   * @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`,
   * `not_found`
   * @example
   * ```ts
   * await svc.agent.session.attach({ app_session_uuid, run_id, after_seq: 12 })
   * ```
   */
  attach(args: AgentSessionAttachArgs, options?: CallOptions): Promise<RunAttached>

  /**
   * Reads the last messages of a session, the oldest first.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @param args.limit The most messages to return, moved into 1 to 200.
   * @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`
   * @example
   * ```ts
   * const { messages } = await svc.agent.session.history({ app_session_uuid, limit: 20 })
   * ```
   */
  history(args: AgentSessionHistoryArgs, options?: CallOptions): Promise<AgentSessionHistoryResult>

  /**
   * Lists the sessions of this app and user, the newest first.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.include_expired Lists those that have ended too. Default false.
   * @param args.limit The most sessions to return, moved into 1 to 100.
   * @example
   * ```ts
   * const { sessions } = await svc.agent.session.list()
   * ```
   */
  list(args?: AgentSessionListArgs, options?: CallOptions): Promise<AgentSessionListResult>

  /**
   * Ends a session and cancels its runs. It is no error if it has ended already.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @throws HostRpcError `APP_SESSION_NOT_FOUND`
   * @example
   * ```ts
   * await svc.agent.session.delete({ app_session_uuid })
   * ```
   */
  delete(args: AgentSessionDeleteArgs, options?: CallOptions): Promise<AgentSessionDeleteResult>

  /**
   * Moves expires_at of a session on, never past max_lifetime_at.
   *
   * Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.
   *
   * @param args.app_session_uuid The id of the session; begins with `aps_`. At most 64 characters.
   * @throws HostRpcError `APP_SESSION_EXPIRED`, `APP_SESSION_REVOKED`, `APP_SESSION_NOT_FOUND`
   * @example
   * ```ts
   * const { expires_at } = await svc.agent.session.refresh({ app_session_uuid })
   * ```
   */
  refresh(args: AgentSessionRefreshArgs, options?: CallOptions): Promise<AgentSessionRefreshResult>
}

/** Sessions of an agent, which talk with a model that calls tools. */
export interface AgentClient {
  /** The methods of `svc.agent.session`. */
  readonly session: AgentSessionClient
}

/** Single replies of a model. */
export interface LlmClient {
  /**
   * Lets a model continue a conversation and returns its reply. Nothing is kept; each call counts
   * against the quota of the user.
   *
   * Manifest: `"ui": {"host_api": {"llm": ["complete"]}}`.
   *
   * @param args.messages The conversation so far, oldest first. At least 1 item.
   * @param args.maxTokens The most tokens to write, at least 1, lowered to the cap of the app, which is
   * the default.
   * @param args.modelPreferences Which model a caller would like.
   * @throws HostRpcError `quota_exceeded`, `permission_denied`, `not_implemented`, `rate_limited`
   * @example
   * ```ts
   * const reply = await svc.llm.complete({
   *   messages: [{ role: 'user', content: { type: 'text', text: 'Name three rivers.' } }],
   *   maxTokens: 200,
   * })
   * console.log(reply.content.text)
   * ```
   */
  complete(args: CompletionArgs, options?: CallOptions): Promise<CompletionResult>

  /**
   * Starts what `complete` does and returns at once; the text follows as rpc.stream events.
   * `svc.llm.streamText` reads them for you.
   *
   * Manifest: `"ui": {"host_api": {"llm": ["stream"]}}`.
   *
   * @param args.messages The conversation so far, oldest first. At least 1 item.
   * @param args.maxTokens The most tokens to write, at least 1, lowered to the cap of the app, which is
   * the default.
   * @param args.modelPreferences Which model a caller would like.
   * @throws HostRpcError `quota_exceeded`, `permission_denied`, `not_implemented`
   * @example
   * ```ts
   * const run = await svc.llm.streamText({
   *   messages: [{ role: 'user', content: { type: 'text', text: 'Tell a story.' } }],
   * })
   * for await (const piece of run.text()) show(piece)
   * ```
   */
  stream(args: CompletionArgs, options?: CallOptions): Promise<RunStarted>

  /**
   * Sends the frames of a stream of `llm.stream` again to the calling window, and those that follow.
   * `svc.llm.attachText` reads them for you.
   *
   * Manifest: `"ui": {"host_api": {"llm": ["stream"]}}`.
   *
   * @param args.run_id The id of the run, a uuid.
   * @param args.after_seq The last frame that is known already. At least 0. Default 0.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const run = await svc.llm.attachText(runId, { afterSeq })
   * ```
   */
  attach(args: LlmAttachArgs, options?: CallOptions): Promise<RunAttached>

  /**
   * Cancels a stream of `llm.stream`.
   *
   * Manifest: `"ui": {"host_api": {"llm": ["stream"]}}`.
   *
   * @param args.run_id The id of the run, a uuid.
   * @example
   * ```ts
   * await svc.llm.cancel({ run_id: runId })
   * ```
   */
  cancel(args: LlmCancelArgs, options?: CallOptions): Promise<LlmCancelResult>

  /**
   * Turns texts into vectors: the closer two vectors are, the closer the texts are in meaning.
   *
   * Manifest: `"ui": {"host_api": {"llm": ["embed"]}}`.
   *
   * @param args.input A text, or 1 to 128 of them; none may be empty. At least 1 character.
   * @param args.model The model that is wanted. 1–128 characters.
   * @throws HostRpcError `quota_exceeded`, `permission_denied`, `not_implemented`
   * @example
   * ```ts
   * const { embeddings } = await svc.llm.embed({ input: ['a cat', 'a kitten'] })
   * ```
   */
  embed(args: LlmEmbedArgs, options?: CallOptions): Promise<LlmEmbedResult>
}

/** Images that a model draws. */
export interface ImageClient {
  /**
   * Lets a model draw images. They become files of the app.
   *
   * Manifest: `"ui": {"host_api": {"image": ["generate"]}}`; the user grants `image_grant`.
   *
   * @param args.prompt What to draw. 1–8 000 characters.
   * @param args.n How many images. 1–4. Default 1.
   * @param args.size Width and height in pixels, 16 to 4096 each, such as `512x512`. At most 64
   * characters.
   * @param args.model_hint Has no effect: a host has one image model. At most 128 characters.
   * @throws HostRpcError `quota_exceeded`, `not_implemented`, `rate_limited`
   * @example
   * ```ts
   * const { images } = await svc.image.generate({ prompt: 'A red fox', size: '512x512' })
   * ```
   */
  generate(args: ImageGenerateArgs, options?: CallOptions): Promise<ImageGenerateResult>

  /**
   * Lets a model change an image of this app. The results become files of the app.
   *
   * Manifest: `"ui": {"host_api": {"image": ["edit"]}}`; the user grants `image_grant`.
   *
   * @param args.prompt What to draw. 1–8 000 characters.
   * @param args.n How many images. 1–4. Default 1.
   * @param args.size Width and height in pixels, 16 to 4096 each, such as `512x512`. At most 64
   * characters.
   * @param args.image_ref The `file_ref` or the `url` of a file of this app. 1–1 024 characters.
   * @throws HostRpcError `not_found`, `quota_exceeded`, `not_implemented`, `rate_limited`
   * @example
   * ```ts
   * const { images } = await svc.image.edit({ prompt: 'Make it blue', image_ref: file_ref })
   * ```
   */
  edit(args: ImageEditArgs, options?: CallOptions): Promise<ImageEditResult>
}

/** Files that get a public URL. */
export interface UploadClient {
  /**
   * Keeps a small file that comes with the call.
   *
   * Manifest: `"ui": {"host_api": {"upload": ["inline"]}}`; the user grants `upload_grant`.
   *
   * @param args.bytes_b64 The bytes in base64. At least 1 character.
   * @param args.mime The media type of the file.
   * @param args.purpose What the file is for. 1–64 characters.
   * @param args.filename The name to save the file under, without slashes. 1–255 characters.
   * @throws HostRpcError `quota_exceeded`
   * @example
   * ```ts
   * const { url } = await svc.upload.inline({ bytes_b64: btoa('a,b'), mime: 'text/csv', purpose: 'export' })
   * ```
   */
  inline(args: UploadInlineArgs, options?: CallOptions): Promise<UploadInlineResult>

  /**
   * Returns a URL that takes the bytes of a file by one PUT within ten minutes; call `confirm` after it.
   *
   * Manifest: `"ui": {"host_api": {"upload": ["negotiate"]}}`; the user grants `upload_grant`.
   *
   * @param args.mime The media type of the file.
   * @param args.purpose What the file is for. 1–64 characters.
   * @param args.size_bytes The exact size of the file in bytes. 1–20 971 520.
   * @param args.filename The name to save the file under, without slashes. 1–255 characters.
   * @throws HostRpcError `quota_exceeded`
   * @example
   * ```ts
   * const { upload_url, file_ref } = await svc.upload.negotiate({
   *   mime: 'image/png',
   *   purpose: 'attachment',
   *   size_bytes: file.size,
   * })
   * await fetch(upload_url, { method: 'PUT', body: file })
   * const { url } = await svc.upload.confirm({ file_ref })
   * ```
   */
  negotiate(args: UploadNegotiateArgs, options?: CallOptions): Promise<UploadNegotiateResult>

  /**
   * Makes an uploaded file readable under its url. Calling it again returns the same.
   *
   * Manifest: `"ui": {"host_api": {"upload": ["confirm"]}}`; the user grants `upload_grant`.
   *
   * @param args.file_ref The id of the file, as `inline` or `negotiate` returned it. 1–64 characters.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { url } = await svc.upload.confirm({ file_ref })
   * ```
   */
  confirm(args: UploadConfirmArgs, options?: CallOptions): Promise<UploadConfirmResult>

  /**
   * Lists the files of the app in pages, oldest first; uploads under way and generated images are among
   * them.
   *
   * Manifest: `"ui": {"host_api": {"upload": ["list"]}}`; the user grants `upload_grant`.
   *
   * @param args.cursor The next_cursor of the page before. At most 16 384 characters.
   * @param args.limit The most files to return. 1–1 000. Default 100.
   * @example
   * ```ts
   * const { items } = await svc.upload.list()
   * ```
   */
  list(args?: UploadListArgs, options?: CallOptions): Promise<UploadListResult>

  /**
   * Removes a file or gives up an upload. Its url finds nothing any more, and its bytes count no longer.
   *
   * Manifest: `"ui": {"host_api": {"upload": ["delete"]}}`; the user grants `upload_grant`.
   *
   * @param args.file_ref The id of the file, as `inline` or `negotiate` returned it. 1–64 characters.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * await svc.upload.delete({ file_ref })
   * ```
   */
  delete(args: UploadDeleteArgs, options?: CallOptions): Promise<UploadDeleteResult>
}

/** Files under paths, kept for the app. */
export interface FilesClient {
  /**
   * Lists files in the order of their paths, a page at a time.
   *
   * Manifest: `"ui": {"host_api": {"files": ["list"]}}`.
   *
   * @param args.prefix What the paths begin with; there are no wildcards. At most 1 024 characters.
   * @param args.cursor The next_cursor of the page before. At most 16 384 characters.
   * @param args.limit The most files to return. 1–1 000. Default 100.
   * @param args.scope `shared`: the files that all users of the app share, where its install grants that
   * scope. Default "app".
   * @example
   * ```ts
   * const { items } = await svc.files.list({ prefix: 'reports/' })
   * ```
   */
  list(args?: FilesListArgs, options?: CallOptions): Promise<FilesListResult>

  /**
   * Reads a file, as text or as bytes.
   *
   * Manifest: `"ui": {"host_api": {"files": ["read"]}}`.
   *
   * @param args.path The path: names joined by single slashes. 1–1 024 characters.
   * @param args.scope `shared`: the files that all users of the app share, where its install grants that
   * scope. Default "app".
   * @param args.as The form that is wanted. Left out: as it was written.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { text } = await svc.files.read({ path: 'reports/may.csv' })
   * ```
   */
  read(args: FilesReadArgs, options?: CallOptions): Promise<FilesReadResult>

  /**
   * Writes a whole file from text or from bytes_b64. With if_match it writes only if nobody has changed
   * the file since.
   *
   * Manifest: `"ui": {"host_api": {"files": ["write"]}}`.
   *
   * @param args.path The path: names joined by single slashes. 1–1 024 characters.
   * @param args.text The whole text; either this or `bytes_b64`.
   * @param args.bytes_b64 The whole file in base64.
   * @param args.mime Its media type. Left out: `text/plain` for text, `application/octet-stream` for
   * bytes. At most 127 characters.
   * @param args.scope `shared`: the files that all users of the app share, where its install grants that
   * scope. Default "app".
   * @param args.if_match The etag that the file must have; `*`: any, but it must exist. Left out: no
   * condition.
   * @throws HostRpcError `precondition_failed`, `quota_exceeded`
   * @example
   * ```ts
   * const { etag } = await svc.files.write({ path: 'reports/may.csv', text: 'a,b', mime: 'text/csv' })
   * ```
   */
  write(args: FilesWriteArgs, options?: CallOptions): Promise<FilesWriteResult>

  /**
   * Removes a file.
   *
   * Manifest: `"ui": {"host_api": {"files": ["delete"]}}`.
   *
   * @param args.path The path: names joined by single slashes. 1–1 024 characters.
   * @param args.scope `shared`: the files that all users of the app share, where its install grants that
   * scope. Default "app".
   * @param args.if_match The etag that the file must have; `*`: any, but it must exist. Left out: no
   * condition.
   * @throws HostRpcError `not_found`, `precondition_failed`
   * @example
   * ```ts
   * await svc.files.delete({ path: 'reports/may.csv' })
   * ```
   */
  delete(args: FilesDeleteArgs, options?: CallOptions): Promise<FilesDeleteResult>

  /**
   * Reads what is known of a file, without its bytes.
   *
   * Manifest: `"ui": {"host_api": {"files": ["stat"]}}`.
   *
   * @param args.path The path: names joined by single slashes. 1–1 024 characters.
   * @param args.scope `shared`: the files that all users of the app share, where its install grants that
   * scope. Default "app".
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { size_bytes, etag } = await svc.files.stat({ path: 'reports/may.csv' })
   * ```
   */
  stat(args: FilesStatArgs, options?: CallOptions): Promise<FileEntry>
}

/** The web, read and searched by the host. */
export interface WebClient {
  /**
   * Reads a public https:// URL by GET, as text or as bytes. What is too large is refused, never cut
   * off.
   *
   * Manifest: `"ui": {"host_api": {"web": ["fetch"]}}`; the user grants `web_grant`.
   *
   * @param args.url A public https:// URL. At least 1 character.
   * @param args.method GET only. Default "GET".
   * @throws HostRpcError `rate_limited`, `quota_exceeded`
   * @example
   * ```ts
   * const { text } = await svc.web.fetch({ url: 'https://example.org/data.csv' })
   * ```
   */
  fetch(args: WebFetchArgs, options?: CallOptions): Promise<WebFetchResult>

  /**
   * Searches the web, best result first. Offered where the operator configured a search engine.
   *
   * Manifest: `"ui": {"host_api": {"web": ["search"]}}`; the user grants `web_grant`.
   *
   * @param args.query What to search for. 1–400 characters.
   * @param args.limit The most results to return. 1–20. Default 10.
   * @throws HostRpcError `not_implemented`, `rate_limited`, `quota_exceeded`
   * @example
   * ```ts
   * const { results } = await svc.web.search({ query: 'svc apps', limit: 5 })
   * ```
   */
  search(args: WebSearchArgs, options?: CallOptions): Promise<WebSearchResult>
}

/** The apps that the user has installed. */
export interface AppsClient {
  /**
   * Lists the apps that the user has installed, oldest install first.
   *
   * Manifest: `"ui": {"host_api": {"apps": ["list"]}}`.
   *
   * @example
   * ```ts
   * const { apps } = await svc.apps.list()
   * ```
   */
  list(args?: Nothing, options?: CallOptions): Promise<AppsListResult>

  /**
   * Reads one installed app.
   *
   * Manifest: `"ui": {"host_api": {"apps": ["get"]}}`.
   *
   * @param args.app_id The id of the app. 1–64 characters.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { name, views } = await svc.apps.get({ app_id })
   * ```
   */
  get(args: AppsGetArgs, options?: CallOptions): Promise<InstalledApp>

  /**
   * Opens a view of an installed app, or brings it to the front.
   *
   * Manifest: `"ui": {"host_api": {"apps": ["open"]}}`.
   *
   * @param args.app_id The id of the app. 1–64 characters.
   * @param args.view The view. Left out: the default one. 1–64 characters.
   * @param args.payload JSON that the view gets as `entry_payload`.
   * @throws HostRpcError `not_found`, `bundle_not_ready`, `quota_exceeded`
   * @example
   * ```ts
   * await svc.apps.open({ app_id, view: 'reader', payload: { page: 3 } })
   * ```
   */
  open(args: AppsOpenArgs, options?: CallOptions): Promise<AppsOpenResult>
}

/** Whether the plugins of the app have the credentials that they need. */
export interface CredentialsClient {
  /**
   * Lists the credentials that the plugins of this app ask for, each with its status. No value is ever
   * shown to an app.
   *
   * Manifest: `"ui": {"host_api": {"credentials": ["list"]}}`; the user grants `credentials_grant`.
   *
   * @example
   * ```ts
   * const { credentials } = await svc.credentials.list()
   * ```
   */
  list(args?: Nothing, options?: CallOptions): Promise<CredentialsListResult>

  /**
   * Reads the status of one of these credentials.
   *
   * Manifest: `"ui": {"host_api": {"credentials": ["status"]}}`; the user grants `credentials_grant`.
   *
   * @param args.name The name of the credential, as the plugin has it. 1–128 characters.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * const { status } = await svc.credentials.status({ name: 'WEATHER_KEY' })
   * ```
   */
  status(args: CredentialsStatusArgs, options?: CallOptions): Promise<CredentialsStatusResult>

  /**
   * Has the page ask the user for one of these credentials, unless it is granted.
   *
   * Manifest: `"ui": {"host_api": {"credentials": ["request"]}}`; the user grants `credentials_grant`.
   *
   * @param args.name The name of the credential, as the plugin has it. 1–128 characters.
   * @throws HostRpcError `not_found`
   * @example
   * ```ts
   * await svc.credentials.request({ name: 'WEATHER_KEY' })
   * ```
   */
  request(args: CredentialsRequestArgs, options?: CallOptions): Promise<CredentialsRequestResult>
}

/** What only a phone can do; not offered by this host. */
export interface MobileClient {
  /**
   * Hands something to the share sheet of a phone; offered in the mobile shell alone.
   *
   * Manifest: `"ui": {"host_api": {"mobile": ["share"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  share(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Vibrates a phone; offered in the mobile shell alone.
   *
   * Manifest: `"ui": {"host_api": {"mobile": ["vibrate"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  vibrate(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Reads a code with the camera of a phone; offered in the mobile shell alone.
   *
   * Manifest: `"ui": {"host_api": {"mobile": ["scan_code"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  scan_code(args?: Nothing, options?: CallOptions): Promise<Nothing>
}

/** Artifacts; not offered by this host. */
export interface ArtifactClient {
  /**
   * Creates an artifact; not offered.
   *
   * Manifest: `"ui": {"host_api": {"artifact": ["create"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  create(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Changes an artifact; not offered.
   *
   * Manifest: `"ui": {"host_api": {"artifact": ["update"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  update(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Removes an artifact; not offered.
   *
   * Manifest: `"ui": {"host_api": {"artifact": ["delete"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  delete(args?: Nothing, options?: CallOptions): Promise<Nothing>
}

/** The file system; not offered by this host. */
export interface FsClient {
  /**
   * Reads a file; not offered.
   *
   * Manifest: `"ui": {"host_api": {"fs": ["read"]}}`. Not offered: a call fails with `not_implemented`.
   */
  read(args?: Nothing, options?: CallOptions): Promise<Nothing>

  /**
   * Writes a file; not offered.
   *
   * Manifest: `"ui": {"host_api": {"fs": ["write"]}}`. Not offered: a call fails with `not_implemented`.
   */
  write(args?: Nothing, options?: CallOptions): Promise<Nothing>
}

/** Preferences; not offered by this host. */
export interface PrefsClient {
  /**
   * Reads a preference; not offered.
   *
   * Manifest: `"ui": {"host_api": {"prefs": ["get"]}}`. Not offered: a call fails with
   * `not_implemented`.
   */
  get(args?: Nothing, options?: CallOptions): Promise<Nothing>
}

/** The methods of the host by namespace: `client.storage.get({ key })`. */
export interface Client {
  /** The window of the app: its title, size, views and end. */
  readonly window: WindowClient
  /** Tools of plugins: call one, or start a job that may take up to a day. */
  readonly tools: ToolsClient
  /** JSON values under keys, kept for the app. */
  readonly storage: StorageClient
  /** Cards in the chat beside the window. */
  readonly chat: ChatClient
  /** Sessions of an agent, which talk with a model that calls tools. */
  readonly agent: AgentClient
  /** Single replies of a model. */
  readonly llm: LlmClient
  /** Images that a model draws. */
  readonly image: ImageClient
  /** Files that get a public URL. */
  readonly upload: UploadClient
  /** Files under paths, kept for the app. */
  readonly files: FilesClient
  /** The web, read and searched by the host. */
  readonly web: WebClient
  /** The apps that the user has installed. */
  readonly apps: AppsClient
  /** Whether the plugins of the app have the credentials that they need. */
  readonly credentials: CredentialsClient
  /** What only a phone can do; not offered by this host. */
  readonly mobile: MobileClient
  /** Artifacts; not offered by this host. */
  readonly artifact: ArtifactClient
  /** The file system; not offered by this host. */
  readonly fs: FsClient
  /** Preferences; not offered by this host. */
  readonly prefs: PrefsClient
}

/** A method of the host by its whole name, such as `storage.get`. */
export type MethodName =
  | 'window.hello'
  | 'window.ready'
  | 'window.heartbeat'
  | 'window.set_title'
  | 'window.resize'
  | 'window.focus'
  | 'window.close'
  | 'window.open_view'
  | 'window.open_link'
  | 'window.download'
  | 'window.report_error'
  | 'tools.list'
  | 'tools.invoke'
  | 'tools.invokeAsync'
  | 'tools.getJob'
  | 'tools.cancelJob'
  | 'tools.listJobs'
  | 'storage.get'
  | 'storage.set'
  | 'storage.delete'
  | 'storage.list'
  | 'chat.append_artifact'
  | 'chat.read_history'
  | 'chat.write_message'
  | 'agent.session.create'
  | 'agent.session.catalog'
  | 'agent.session.run'
  | 'agent.session.cancel'
  | 'agent.session.attach'
  | 'agent.session.history'
  | 'agent.session.list'
  | 'agent.session.delete'
  | 'agent.session.refresh'
  | 'llm.complete'
  | 'llm.stream'
  | 'llm.attach'
  | 'llm.cancel'
  | 'llm.embed'
  | 'image.generate'
  | 'image.edit'
  | 'upload.inline'
  | 'upload.negotiate'
  | 'upload.confirm'
  | 'upload.list'
  | 'upload.delete'
  | 'files.list'
  | 'files.read'
  | 'files.write'
  | 'files.delete'
  | 'files.stat'
  | 'web.fetch'
  | 'web.search'
  | 'apps.list'
  | 'apps.get'
  | 'apps.open'
  | 'credentials.list'
  | 'credentials.status'
  | 'credentials.request'
  | 'mobile.share'
  | 'mobile.vibrate'
  | 'mobile.scan_code'
  | 'artifact.create'
  | 'artifact.update'
  | 'artifact.delete'
  | 'fs.read'
  | 'fs.write'
  | 'prefs.get'
