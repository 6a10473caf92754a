import type { AppDownload, AppLink } from '@svc/bridge'
import type { DeskParts } from './parts.ts'
import type { DeskState, DeskWindow } from './state.ts'

/** What an app asks of its user's browser: a page of another site, or a file to be saved. */
export interface WishAsk {
  /** The window that asked, by its key on this page. */
  readonly key: string
  /** The name of the app. */
  readonly app: string
  readonly slug: string
  readonly wish: AppLink | AppDownload
}

/** What the page knows of such questions. */
export interface WishAsks {
  /** Those that are open, the oldest first; one of a window. */
  readonly open: readonly WishAsk[]
  /** What the user agreed to, by `agreedId`, until the page is loaded again. */
  readonly agreed: readonly string[]
}

/** Nothing is asked. */
export const noWishes: WishAsks = { open: [], agreed: [] }

/** The site of an address, as the user reads it. */
export const siteOf = (url: string): string => new URL(url).host || url.slice(0, 60)

const agreedId = ({ slug, wish }: Pick<WishAsk, 'slug' | 'wish'>) =>
  'url' in wish ? `${slug} ${new URL(wish.url).protocol}${siteOf(wish.url)}` : `${slug} files`

const act = (wish: AppLink | AppDownload) => ('url' in wish ? wish.open() : wish.save())

/** The question that is shown: of a window that is still there. */
export const shownWish = ({ wishes, windows }: DeskState): WishAsk | undefined =>
  wishes.open.find(({ key }) => windows.some((one) => one.key === key))

const change = ({ store }: Pick<DeskParts, 'store'>, how: (wishes: WishAsks) => Partial<WishAsks>): void =>
  store.set((state) => ({ ...state, wishes: { ...state.wishes, ...how(state.wishes) } }))

/** Does what the user has agreed to before, else asks; a window that asks already waits. */
export function askWish(
  parts: Pick<DeskParts, 'store' | 'say'>,
  { key, app }: Pick<DeskWindow, 'key' | 'app'>,
  wish: AppLink | AppDownload,
): void {
  const ask = { wish, key, app: app.name, slug: app.slug }
  const { open, agreed } = parts.store.get().wishes
  if (agreed.includes(agreedId(ask))) {
    act(wish)
    return
  }
  if (open.some((one) => one.key === key)) return
  change(parts, (wishes) => ({ open: [...wishes.open, ask] }))
  parts.say(`${ask.app} wants to ${'url' in wish ? `open ${siteOf(wish.url)}` : `save ${wish.name}`}`)
}

/** Takes the user's answer. */
export function answerWish(parts: Pick<DeskParts, 'store'>, ask: WishAsk, isYes: boolean): void {
  change(parts, ({ open, agreed }) => ({
    open: open.filter(({ key }) => key !== ask.key),
    agreed: isYes ? [...agreed, agreedId(ask)] : agreed,
  }))
  if (isYes) act(ask.wish)
}
