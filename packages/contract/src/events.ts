/** Where a window event sits and when (spec §6; shapes: design §9). */
export interface EventRow {
  readonly doc: string
  /** `bundle`: the window's own document hears it too; `page`: the host page only. */
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
  credential_requested: {
    to: 'page',
    doc: 'A bundle has the user asked for a credential that its plugins need; no value travels.',
  },
  'tools.changed': { to: 'bundle', doc: 'The list of tools of this window changed; list them again.' },
  tool_job: { to: 'bundle', doc: 'A job of this app moved or made progress; it never carries the result.' },
  'rpc.stream': { to: 'bundle', doc: 'One frame of an agent run.' },
} as const satisfies Record<string, EventRow>

/** A window's place and size; sizes in CSS pixels, `z` counts up with each focus. */
export interface Geometry {
  readonly w: number
  readonly h: number
  readonly z: number
}

/** The payload of each event, beside `type` and `window_uuid`. */
export interface EventPayloads {
  title_changed: { readonly title: string }
  window_focus_changed: { readonly focused: true; readonly geometry: Geometry }
  geometry_changed: { readonly geometry: Geometry }
  close_view: { readonly reason: string | null }
  view_opened: {
    readonly app_id: string
    readonly opened_uuid: string
    readonly view: string
    readonly created: boolean
    readonly payload?: unknown
  }
  error_reported: {
    readonly message: string
    readonly fatal: boolean
    readonly stack?: string
    readonly context?: unknown
  }
  chat_artifact: { readonly artifact_id: string; readonly artifact: Readonly<Record<string, unknown>> }
  bundle_changed: { readonly app_id: string; readonly version_id: string; readonly entry_url: string }
  credential_requested: {
    readonly app_id: string
    readonly name: string
    readonly description: string | null
    readonly plugins: readonly string[]
  }
  'tools.changed': Readonly<Record<never, never>>
  tool_job: {
    readonly job_id: string
    readonly tool_id: string
    readonly state: string
    readonly seq: number
    readonly event: string
    readonly terminal: boolean
  }
  'rpc.stream': {
    readonly stream_id: string
    readonly seq: number
    readonly payload: Readonly<Record<string, unknown>>
    readonly done: boolean
  }
}

/** The name of an event. */
export type EventType = keyof EventPayloads & keyof typeof events

/** One event as it travels: flat JSON (design §9). */
export type WindowEvent<Type extends EventType = EventType> = {
  [T in Type]: { readonly type: T; readonly window_uuid: string } & EventPayloads[T]
}[Type]
