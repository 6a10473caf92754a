import type { PlugTerms } from '../schemas/plug-terms.ts'
import type { BuildProblem } from '../values/build-problem.ts'

/** Where a window event sits and when. */
export interface EventRow {
  readonly doc: string
  /** `bundle`: the window's own document gets it too; `page`: the host page only. */
  readonly to: 'bundle' | 'page'
}

/** Every event of the event stream. A new event is a new row and a new shape below. */
export const events = {
  title_changed: { to: 'bundle', doc: 'The window has a new title.' },
  window_focus_changed: { to: 'bundle', doc: 'The window was raised above the others of its user.' },
  geometry_changed: { to: 'bundle', doc: 'The window has a new size.' },
  close_view: { to: 'bundle', doc: 'The window was closed.' },
  view_opened: {
    to: 'page',
    doc: 'A bundle opened a view of its app, or of another app of the user, or brought it to the front.',
  },
  error_reported: { to: 'page', doc: 'A bundle reported an error of its own.' },
  chat_artifact: { to: 'page', doc: 'A bundle put a card into the chat.' },
  bundle_changed: {
    to: 'page',
    doc: 'A new working draft was pushed; the window shows the old one until it is reloaded.',
  },
  build_changed: {
    to: 'page',
    doc: 'While the app is developed: its build, its code in a window or one of its plugins failed, or all is good again.',
  },
  credential_requested: {
    to: 'page',
    doc: 'A bundle has the user asked for a credential that its plugins need; no value travels.',
  },
  plug_asked: {
    to: 'page',
    doc: 'A bundle called a plugin of another that its user has not agreed to; nothing was started.',
  },
  tool_approval: {
    to: 'page',
    doc: 'An app, or a model in one of its sessions, wants to call a tool that is marked as destructive: the user is to answer.',
  },
  tool_approval_over: {
    to: 'page',
    doc: 'Such a question was answered, or nobody waits for the answer any more.',
  },
  'tools.changed': { to: 'bundle', doc: 'The list of tools of this window changed; list them again.' },
  tool_job: { to: 'bundle', doc: 'A job of this app moved or made progress; it never carries the result.' },
  'rpc.stream': { to: 'bundle', doc: 'One frame of an agent run.' },
} as const satisfies Record<string, EventRow>

/** A window's place and size. */
export interface Geometry {
  /** The width in CSS pixels. */
  readonly w: number
  /** The height in CSS pixels. */
  readonly h: number
  /** Counts up with each focus. */
  readonly z: number
}

/** The payload of each event, beside `type` and `window_uuid`. */
export interface EventPayloads {
  /** The window has a new title. */
  title_changed: {
    /** Counts up with each change of the window: of two such events of it the one with the higher number is newer. */
    readonly revision: number
    /** The title. */
    readonly title: string
  }
  /** The window was raised above the others of its user. */
  window_focus_changed: {
    /** It has the focus. */
    readonly focused: true
    /** Its size, and its new place in the order of windows. */
    readonly geometry: Geometry
  }
  /** The window has a new size. */
  geometry_changed: {
    /** Counts up with each change of the window: of two such events of it the one with the higher number is newer. */
    readonly revision: number
    /** Its new size. */
    readonly geometry: Geometry
  }
  /** The window was closed. */
  close_view: {
    /** Counts up with each change of the window: of two such events of it the one with the higher number is newer. */
    readonly revision: number
    /** Why, where somebody said so. */
    readonly reason: string | null
  }
  /** An app opened a view, or brought it to the front. */
  view_opened: {
    /** The id of the app of the view. */
    readonly app_id: string
    /** The id of the window of the view. */
    readonly opened_uuid: string
    /** The name of the view. */
    readonly view: string
    /** Whether the window is new. */
    readonly created: boolean
    /** The id of the app that opened it. */
    readonly opened_by: string
    /** What it was opened with. */
    readonly payload?: unknown
  }
  /** An app reported an error of its own. */
  error_reported: {
    /** What went wrong. */
    readonly message: string
    /** Whether the window counts as crashed. */
    readonly fatal: boolean
    /** The stack of the error. */
    readonly stack?: string
    /** Anything more about it. */
    readonly context?: unknown
  }
  /** An app put a card into the chat. */
  chat_artifact: {
    /** The id of the card. */
    readonly artifact_id: string
    /** The card. */
    readonly artifact: Readonly<Record<string, unknown>>
  }
  /** A new working draft was pushed; the window shows the old one until it is reloaded. */
  bundle_changed: {
    /** The id of the app. */
    readonly app_id: string
    /** The id of the new version. */
    readonly version_id: string
    /** Where its entry file is. */
    readonly entry_url: string
  }
  /** While the app is developed: its build, its code in a window or one of its plugins failed, or all is good again. */
  build_changed: {
    /** The id of the app. */
    readonly app_id: string
    /** What is wrong, a build before all else; `null`: nothing is. */
    readonly problem: BuildProblem | null
  }
  /** An app wants the user to be asked for a credential that its plugins need; no value travels. */
  credential_requested: {
    /** The id of the app. */
    readonly app_id: string
    /** The name of the credential. */
    readonly name: string
    /** What it is for, as the plugin says. */
    readonly description: string | null
    /** The names of the plugins that ask for it. */
    readonly plugins: readonly string[]
  }
  /** An app called a plugin that its user has not agreed to; nothing was started. */
  plug_asked: PlugTerms & {
    /** The id of the app. */
    readonly app_id: string
    /** The id of the plugin. */
    readonly tool_id: string
    /** The name of the plugin. */
    readonly name: string
  }
  /** The user is to allow a call of a tool that is marked as destructive. */
  tool_approval: {
    /** What the answer is given to: the route `approvals.answer`. */
    readonly approval_id: string
    /** The id of the app. */
    readonly app_id: string
    /** The id of the plugin; `host` for a tool of the host itself. */
    readonly tool_id: string
    /** The name of the plugin; null: the host has the tool. */
    readonly plugin_name: string | null
    /** The name of the tool. */
    readonly tool_name: string
    /** What the tool does, as who has it says. */
    readonly description: string
    /** The arguments as indented JSON, the first of them where they are long. */
    readonly args_text: string
    /** Whether there is more of them: then `always` is taken for `once`. */
    readonly args_cut: boolean
    /** The size of all of them, as JSON. */
    readonly args_bytes: number
    /** When the question ends by itself, RFC 3339 in UTC. */
    readonly expires_at: string
  }
  /** A question about a tool is over. */
  tool_approval_over: {
    /** Which question it was. */
    readonly approval_id: string
  }
  /** The list of tools of this window changed; list them again. */
  'tools.changed': Readonly<Record<never, never>>
  /** A job of this app moved or made progress; it never carries the result. */
  tool_job: {
    /** The id of the job. */
    readonly job_id: string
    /** The tool_id that it was started with. */
    readonly tool_id: string
    /** The state of the job. */
    readonly state: string
    /** The newest progress of the job. */
    readonly seq: number
    /** What happened to it. */
    readonly event: string
    /** Whether it has ended. */
    readonly terminal: boolean
  }
  /** One frame of an agent run. */
  'rpc.stream': {
    /** The stream of the run. */
    readonly stream_id: string
    /** The number of the frame in its stream. */
    readonly seq: number
    /** The frame. */
    readonly payload: Readonly<Record<string, unknown>>
    /** Whether it is the last. */
    readonly done: boolean
  }
}

/** The name of an event. */
export type EventType = keyof EventPayloads & keyof typeof events

/** One event as it travels: flat JSON. */
export type WindowEvent<Type extends EventType = EventType> = {
  [T in Type]: {
    /** Which event it is. */
    readonly type: T
    /** The window that it is about. */
    readonly window_uuid: string
  } & EventPayloads[T]
}[Type]
