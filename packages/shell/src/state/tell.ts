import { BridgeError } from '@svc/bridge'
import { fieldOf, withLabels } from './field.ts'
import { addNotice, detailsText, isLoud, type News, type Origin } from './notices.ts'
import type { DeskState, DeskWindow } from './state.ts'
import type { Store } from './store.ts'

/** Adds a notice, and counts it as unread while its panel is shut and no app handles such a code in its ordinary course. */
export function showNotice(store: Store<DeskState>, news: News, id: string, at: number): void {
  store.set((state) => ({
    ...state,
    notices: addNotice(state.notices, news, id, at),
    unread:
      state.panel === 'notices' || !isLoud(news.code)
        ? state.unread
        : { ...state.unread, notices: state.unread.notices + 1 },
  }))
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
