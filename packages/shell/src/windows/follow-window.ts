import type { AppDownload, AppLink, SvcWindow } from '@svc/bridge'
import { visibleTitle } from '@svc/contract/visible-text'
import { isFront, nextZ } from '../geometry/z-order.ts'
import { dropApproval, showApproval } from '../state/approvals.ts'
import { APPS, readApps } from '../state/apps.ts'
import { CARDS_KEPT, cardOf } from '../state/cards.ts'
import type { Install } from '../state/install.ts'
import { detailsText, isError, isOfOutage, REPORT_LOUD_MS } from '../state/notices.ts'
import { changeWindow, type DeskParts, windowOf } from '../state/parts.ts'
import { askAbout } from '../state/plug-ask.ts'
import { forgetNotices, newsOf, originOf } from '../state/tell.ts'
import { askWish } from '../state/wish-ask.ts'
import { contextAll, remove } from './context.ts'
import { resized } from './move.ts'
import { bringForBundle, keepPlaces } from './raise.ts'

/** The SDK reports what no script of the app has caught. */
function isUncaught(context: unknown): boolean {
  const { source } = Object(context) as { source?: unknown }
  return source === 'error' || source === 'unhandledrejection'
}

/** Keeps a window on the desktop in step with what its handle tells. */
export function followWindow(parts: DeskParts, key: string, handle: SvcWindow): void {
  const { store, tell } = parts
  const title = () => windowOf(parts, key)?.title ?? visibleTitle(handle.title)
  const window = windowOf(parts, key)
  const origin = window ? originOf(window) : null
  /** When it was last let through; `null`: never. */
  let reportedAt: number | null = null

  handle.on('connected', () => changeWindow(parts, key, (one) => ({ ...one, connected: true, ended: false })))
  handle.on('disconnected', () => changeWindow(parts, key, (one) => ({ ...one, connected: false })))
  handle.on('ended', () => {
    changeWindow(parts, key, (one) => ({ ...one, ended: true }))
    parts.say(`${title()} has stopped`)
  })
  handle.on('responds', (responds) => {
    changeWindow(parts, key, (one) => ({ ...one, responds }))
    if (!responds) parts.say(`${title()} does not respond`)
  })
  handle.on('title_changed', (event) =>
    changeWindow(parts, key, (one) => ({ ...one, title: visibleTitle(event.title) || one.app.name })),
  )
  handle.on('geometry_changed', ({ geometry }) => resized(parts, key, geometry))
  function comeForward(hostZ: number): void {
    const { windows } = store.get()
    // What we raised ourselves comes back with the number that we gave it: no flicker between two clicks.
    const z = Math.min(hostZ, nextZ(windows))
    changeWindow(parts, key, (one) => (z <= one.z ? one : { ...one, z, minimised: false }))
    contextAll(parts)
  }
  handle.on('window_focus_changed', ({ geometry: { z } }) => {
    parts.raised.hostZ = Math.max(parts.raised.hostZ, z)
    const isNews = !isFront(store.get().windows, key) && z > (windowOf(parts, key)?.z ?? 0)
    if (!isNews) comeForward(z)
    else
      bringForBundle(parts, key, {
        // Who was raised while it waited came later, and stays.
        wanted: () => z === parts.raised.hostZ,
        bring: () => comeForward(z),
      })
  })
  handle.on('key', (name) => {
    for (const press of parts.keyPresses) press(key, name)
  })
  const askWished = (wish: AppLink | AppDownload) => {
    const asking = windowOf(parts, key)
    if (asking) askWish(parts, asking, wish)
  }
  handle.on('open_link', askWished)
  handle.on('download', askWished)
  handle.on('bundle_changed', ({ entry_url }) => {
    handle.reload(entry_url)
    // They are of the bundle before.
    forgetNotices(store, (one) => one.origin?.windowKey === key)
    parts.say(`${title()} was reloaded after a change`)
  })
  handle.on('build_changed', ({ app_id, problem }) => {
    parts.queries.setQueryData<readonly Install[]>(APPS, (apps) =>
      apps?.map((app) => (app.app_id === app_id ? { ...app, build_problem: problem } : app)),
    )
    // A list that is on its way may be older than this, and is read once more.
    if (parts.queries.isFetching({ queryKey: APPS, exact: true }) > 0)
      void readApps(parts)
        .then(() => readApps(parts))
        .catch(() => undefined)
  })
  /** What a bundle makes the page say comes over the desktop once in a while; all of it is in the list. */
  function isLoudNow(): boolean {
    const loud = reportedAt === null || parts.now() - reportedAt >= REPORT_LOUD_MS
    if (loud) reportedAt = parts.now()
    return loud
  }
  handle.on('error_reported', ({ message, fatal, stack, context }) => {
    tell({
      code: fatal ? 'crashed' : 'app_error',
      sentence: message,
      hint: fatal ? 'The app reports that it cannot continue. Close its window and open it again.' : null,
      source: title(),
      origin,
      details: [stack, detailsText(context)].filter((text) => text).join('\n\n'),
      // What an app reports by itself it has caught.
      loud: (fatal || isUncaught(context)) && isLoudNow(),
    })
  })
  handle.on('credential_requested', ({ name, description, plugins }) => {
    tell({
      code: 'credential_requested',
      sentence: `${title()} asks for the credential ${name}, which ${plugins.join(' and ')} needs`,
      hint: 'Whoever runs this host can set it for the plugin.',
      source: title(),
      origin,
      details: description ?? '',
      loud: isLoudNow(),
    })
  })
  handle.on('plug_asked', (asked) => {
    const asking = windowOf(parts, key)
    if (asking) askAbout(parts, asking, asked)
  })
  handle.on('tool_approval', (approval) => showApproval(parts, { ...approval, windowKey: key }))
  handle.on('tool_approval_over', ({ approval_id }) => dropApproval(parts, approval_id))
  handle.on('refused', ({ ns, method, code, message, hint, details = {} }) => {
    const { hint: _, ...more } = details
    if (!isError(code) || details.consent === 'asked' || windowOf(parts, key)?.phase === 'lost') return
    if (store.get().host !== 'there' && isOfOutage({ code, origin })) return
    tell({
      code,
      sentence: message,
      hint: hint ?? null,
      source: `${title()} · ${ns}.${method}`,
      origin,
      details: detailsText(more),
      // The app has got the error, and says what it means to its user.
      loud: false,
    })
  })
  handle.on('chat_artifact', ({ artifact_id, artifact }) => {
    const card = cardOf(artifact, { id: artifact_id, at: parts.now(), source: title() })
    store.set((state) => ({
      ...state,
      cards: [...state.cards.filter(({ id }) => id !== card.id), card].slice(-CARDS_KEPT),
      unread: state.panel === 'chat' ? state.unread : { ...state.unread, chat: state.unread.chat + 1 },
    }))
  })
  handle.on('lost', () => changeWindow(parts, key, (one) => ({ ...one, phase: 'lost', connected: false })))
  handle.on('closed', ({ error }) => {
    const gone = title()
    if (error) tell(newsOf(error, gone, origin))
    remove(parts, key)
    keepPlaces(parts)
    parts.say(`${gone} closed`)
  })
}
