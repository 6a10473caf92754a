import type { WindowEvent } from '@svc/bridge'
import type { PlugAnswer } from '@svc/contract'
import type { DeskParts } from './parts.ts'
import type { DeskState, DeskWindow } from './state.ts'
import { newsOf, originOf } from './tell.ts'

/** A plugin of another that an app called and that its user has not agreed to. */
export interface PlugAsk extends Omit<WindowEvent<'plug_asked'>, 'type'> {
  /** The name of the app. */
  readonly app: string
}

/** What the page knows of such questions. */
export interface PlugAsks {
  /** Those that are open, the oldest first: one is shown. */
  readonly open: readonly PlugAsk[]
  /** Those that the user put off, by `askId`: they come again when the page is loaded again. */
  readonly putOff: readonly string[]
  readonly isBusy: boolean
}

/** Nothing is asked. */
export const noAsks: PlugAsks = { open: [], putOff: [], isBusy: false }

/** One question: that of one app about one plugin as it is now. */
export const askId = ({ app_id, digest }: Pick<PlugAsk, 'app_id' | 'digest'>): string => `${app_id} ${digest}`

/** The question that is shown: of a window that is still there. */
export const shownAsk = ({ plugAsks, windows }: DeskState): PlugAsk | undefined =>
  plugAsks.open.find((ask) => windows.some(({ uuid }) => uuid === ask.window_uuid))

const change = ({ store }: Pick<DeskParts, 'store'>, how: (asks: PlugAsks) => Partial<PlugAsks>): void =>
  store.set((state) => ({ ...state, plugAsks: { ...state.plugAsks, ...how(state.plugAsks) } }))

/** Asks the user, unless this is being asked, or was put off: an app that calls again and again asks once. */
export function askAbout(
  parts: Pick<DeskParts, 'store' | 'say'>,
  window: Pick<DeskWindow, 'app'>,
  { type: _, ...asked }: WindowEvent<'plug_asked'>,
): void {
  const ask = { ...asked, app: window.app.name }
  const { open, putOff } = parts.store.get().plugAsks
  const id = askId(ask)
  if (putOff.includes(id)) return
  if (open.some((one) => one.window_uuid === ask.window_uuid && askId(one) === id)) return
  change(parts, (asks) => ({ open: [...asks.open, ask] }))
  parts.say(`${ask.app} asks whether the plugin ${ask.name} may run`)
}

/**
 * Sends an answer to the host, or puts the question off. What the host refuses is shown, and asked again at the next
 * call.
 */
export async function answerAsk(parts: DeskParts, ask: PlugAsk, answer: PlugAnswer | 'later'): Promise<void> {
  const id = askId(ask)
  const close = () => change(parts, ({ open }) => ({ open: open.filter((one) => askId(one) !== id) }))
  if (answer === 'later') {
    change(parts, ({ putOff }) => ({ putOff: [...putOff, id] }))
    close()
    return
  }
  if (parts.store.get().plugAsks.isBusy) return
  change(parts, () => ({ isBusy: true }))
  const { tool_id, version, digest, window_uuid } = ask
  const who = parts.session.user
  const isOver = () => parts.session.user !== who
  try {
    await parts.ask('POST /api/v1/svc-apps/windows/{window_uuid}/plugs', {
      params: { window_uuid },
      body: { tool_id, version, digest, answer },
    })
    if (isOver()) return
    parts.say(answer === 'never' ? `${ask.name} may not run` : `${ask.name} may run`)
  } catch (error) {
    if (isOver()) return
    const window = parts.store.get().windows.find(({ uuid }) => uuid === ask.window_uuid)
    parts.tell(newsOf(error, ask.app, window ? originOf(window) : null))
  }
  change(parts, () => ({ isBusy: false }))
  close()
}
