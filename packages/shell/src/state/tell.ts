import { BridgeError } from '@svc/bridge'
import { fieldOf, withLabels } from './field.ts'
import { addNotice, detailsText, type News, type Notice, type Origin, quieten } from './notices.ts'
import type { DeskState, DeskWindow } from './state.ts'
import type { Store } from './store.ts'

/** Adds a notice, and counts it as unread while its panel is shut. */
export function showNotice(store: Store<DeskState>, news: News, id: string, at: number): void {
  store.set((state) => ({
    ...state,
    notices: addNotice(state.notices, news, id, at),
    unread: state.panel === 'notices' ? state.unread : { ...state.unread, notices: state.unread.notices + 1 },
  }))
}

/** Takes the cards of notices away; they stay in the list. */
export const quiet = (store: Store<DeskState>, isOver: (notice: Notice) => boolean): void =>
  store.set((state) => ({ ...state, notices: quieten(state.notices, isOver) }))

/** What was tried has succeeded: that it failed before is over. */
export const succeeded = (store: Store<DeskState>, tried: string): void =>
  quiet(store, (notice) => notice.tried === tried)

/** Forgets notices that say nothing any more. */
export function forgetNotices(store: Store<DeskState>, isOver: (notice: Notice) => boolean): void {
  store.set((state) => {
    const notices = state.notices.filter((one) => !isOver(one))
    const gone = state.notices.length - notices.length
    if (gone === 0) return state
    const unread = { ...state.unread, notices: Math.min(state.unread.notices, notices.length) }
    return { ...state, notices, unread }
  })
}

/** The window as the origin of news. */
export const originOf = ({ app, key }: Pick<DeskWindow, 'app' | 'key'>): Origin => ({
  app: app.slug,
  windowKey: key,
})

/** A refusal, or whatever was thrown, as news. */
export function newsOf(error: unknown, source: string, origin: Origin | null = null): News {
  const known = error instanceof BridgeError
  const code = known ? error.code : 'page_error'
  const { hint: _, ...details } = known ? error.details : {}
  return {
    code,
    sentence: error instanceof Error ? error.message : String(error),
    hint: known ? (error.hint ?? hints.get(code) ?? null) : null,
    source,
    origin,
    details: detailsText(details),
  }
}

/** What a user can do where the host has no advice of its own. */
const hints: ReadonlyMap<string, string> = new Map([
  ['host_unreachable', 'Check that the host is running. The page keeps trying.'],
  ['bundle_not_ready', 'Build the app, or push its entry file, then open it again.'],
])

/** Why something was not done, and the field that it speaks of. */
export type Trouble = ReturnType<typeof troubleOf>

/** A refusal, or whatever was thrown, beside its field: a sentence with what can be done about it. */
export function troubleOf(error: unknown) {
  const { code, sentence, hint } = newsOf(error, 'manage')
  return {
    code,
    sentence: withLabels(hint === null ? sentence : `${sentence.replace(/\.$/, '')}. ${hint}`),
    field: fieldOf(error instanceof BridgeError ? error.details.path : undefined),
  }
}
