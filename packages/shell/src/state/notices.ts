import { visibleText } from '@svc/contract/visible-text'

/** Something that went wrong and that the user can read: what a host refused, what a bundle reported. */
export interface Notice {
  readonly id: string
  /** When it came last, in Unix ms. */
  readonly at: number
  /** The code of the error, or what kind of news it is. */
  readonly code: string
  readonly sentence: string
  readonly hint: string | null
  /** Where it comes from: an app's window, a method, the page itself. */
  readonly source: string
  /** The app and the window that it is about; `null`: the page itself. A title is no origin: bundles choose it. */
  readonly origin: Origin | null
  /** The window wishes to stay, and can be closed from here all the same. */
  readonly offersClose: boolean
  /** The view that can be opened again from here; `null`: none. */
  readonly offersOpen: { readonly appId: string; readonly view: string | undefined } | null
  /** More, as indented JSON or as a stack; empty where there is none. */
  readonly details: string
  /** How often the same came. */
  readonly count: number
  /** Shown as a card for a while; the others wait in their panel. */
  readonly loud: boolean
  /** What was tried: its card goes when it succeeds. `null`: nothing that can be tried again. */
  readonly tried: string | null
}

/** Whose doing a notice is. */
export interface Origin {
  /** The app's slug. */
  readonly app: string
  /** The window's key on this page. */
  readonly windowKey: string
}

/** What a notice is made of. */
export type News = Omit<Notice, 'id' | 'at' | 'count' | 'loud' | 'tried' | 'offersClose' | 'offersOpen'> &
  Partial<Pick<Notice, 'loud' | 'tried' | 'offersClose' | 'offersOpen'>>

/** The notices that are kept; the oldest go first. */
export const NOTICES_KEPT = 100
/** Those of one app: it must not push out what others have to say. */
export const NOTICES_KEPT_PER_APP = 20
/** How long a card is shown, in ms, unless a pointer or the keyboard is on it. */
export const CARD_MS = 8_000
/** A window's reports of errors come as a card once in this time; the others wait in the list. */
export const REPORT_LOUD_MS = 60_000

/** Codes that an app meets in its ordinary course and handles itself, such as a first read of what nobody stored. */
const ordinary: ReadonlySet<string> = new Set([
  'not_found',
  'precondition_failed',
  'cancelled',
  'bridge_reset',
])

/** Whether a refused call of an app is an error at all. */
export const isError = (code: string): boolean => !ordinary.has(code)

/** Whether it says that an app could not reach the host, which the banner says for all of them. */
export const isOfOutage = ({ code, origin }: Pick<Notice, 'code' | 'origin'>): boolean =>
  code === 'host_unreachable' && origin !== null

/** Adds news, newest first; the same once more counts up and comes to the front. */
export function addNotice(notices: readonly Notice[], told: News, id: string, at: number): readonly Notice[] {
  const { sentence, hint, source, details } = told
  // What bundles, plugins and hosts say may hold what nobody sees.
  const news: News = {
    ...told,
    sentence: visibleText(sentence),
    hint: hint === null ? null : visibleText(hint),
    source: visibleText(source),
    details: visibleText(details),
  }
  const isSame = (one: Notice) =>
    one.code === news.code &&
    one.sentence === news.sentence &&
    one.source === news.source &&
    one.origin?.app === news.origin?.app
  const before = notices.find(isSame)
  const notice: Notice = {
    ...news,
    id: before?.id ?? id,
    at,
    count: (before?.count ?? 0) + 1,
    loud: news.loud ?? true,
    tried: news.tried ?? null,
    offersClose: news.offersClose ?? false,
    offersOpen: news.offersOpen ?? null,
  }
  const all = [notice, ...notices.filter((one) => one !== before)]
  return atMostOfOneApp(all, NOTICES_KEPT_PER_APP).slice(0, NOTICES_KEPT)
}

/** The notices that have a card, the newest first. */
export const shownOver = (notices: readonly Notice[]): readonly Notice[] => notices.filter(({ loud }) => loud)

/** The notices with those without a card for which `isOver` says so. */
export const quieten = (notices: readonly Notice[], isOver: (notice: Notice) => boolean): readonly Notice[] =>
  notices.map((one) => (one.loud && isOver(one) ? { ...one, loud: false } : one))

/** The first `max` of each app; what is of the page itself stays. */
function atMostOfOneApp(notices: readonly Notice[], max: number): readonly Notice[] {
  const counts = new Map<string, number>()
  return notices.filter(({ origin }) => {
    if (origin === null) return true
    const count = (counts.get(origin.app) ?? 0) + 1
    counts.set(origin.app, count)
    return count <= max
  })
}

/** The text for the clipboard when a notice is copied. */
export function noticeText({ code, sentence, hint, source, details, count }: Notice): string {
  const times = count > 1 ? ` (${count} times)` : ''
  return [`${code}: ${sentence}${times}`, hint && `hint: ${hint}`, `from: ${source}`, details]
    .filter((line) => line)
    .join('\n')
}

/** Anything as a text to read; what has no JSON form is named. */
export function detailsText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'object' && Object.keys(value).length === 0) return ''
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return '(details that cannot be shown)'
  }
}
