import type { Download } from '@svc/contract/wire'
import type { asBridgeError, BridgeError, failure } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import type { Deadline } from './deadline.ts'
import type { Forward } from './forward.ts'
import type { Call, readResponse } from './texts.ts'

/** What an app asks to be opened. */
export interface AppLink {
  /** The address, as a browser writes it: `https:`, `http:`, `mailto:` or `tel:`. */
  readonly url: string
  /** Opens it in a new tab that knows nothing of this page. */
  open(): void
}

/** A file that an app offers to its user. */
export interface AppDownload {
  /** The name that it is saved under: a plain one, without a path. */
  readonly name: string
  /** Its size in bytes; `null`: it is an upload, at the host. */
  readonly sizeBytes: number | null
  /** Hands it to the browser, which saves it. */
  save(): void
}

const SHOWN_CHARS = 500
/** How long a browser may take to begin to read a file. */
const FILE_KEPT_MS = 60_000

function follow(page: Document, href: string, name?: string): void {
  const link = page.createElement('a')
  link.href = href
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  if (name) link.download = name
  link.click()
}

/** The link to an address. */
export const linkTo = (page: Document, url: string): AppLink => ({ url, open: () => follow(page, url) })

/** A file for the user: its bytes, or the address of an upload. The page never takes the bytes for a document of its own. */
export const fileFor = (page: Document, name: string, from: Blob | string): AppDownload => ({
  name,
  sizeBytes: typeof from === 'string' ? null : from.size,
  save() {
    if (typeof from === 'string') return follow(page, from, name)
    const url = URL.createObjectURL(new Blob([from], { type: 'application/octet-stream' }))
    follow(page, url, name)
    setTimeout(() => URL.revokeObjectURL(url), FILE_KEPT_MS)
  },
})

/** What is asked once, what the app wants in words, and how it is done. */
function questionOf(wish: AppLink | AppDownload): readonly [key: string, wants: string, go: () => void] {
  if ('name' in wish) return ['save', `save the file ${wish.name}`, wish.save]
  const { protocol, host } = new URL(wish.url)
  const shown = wish.url.slice(0, SHOWN_CHARS)
  return [protocol + host, `open ${host || protocol} in a new tab:\n\n${shown}`, wish.open]
}

/** What an app's wishes are carried out with. */
export interface WishParts {
  readonly page: Document
  readonly appId: string
  /** What the user has agreed to. */
  readonly agreed: Set<string>
  readonly forward: Forward
  readonly clock: Clock
  /** The id of the next call of the page. */
  nextId(): string
  /** Aborts when the window leaves the page. */
  readonly over: AbortController
  refused(error: BridgeError, method: string): void
  /** Tells the page; `unheard` is called where it does not listen. */
  tell(type: string, wish: AppLink | AppDownload, unheard: () => void): void
  readonly onError: (error: unknown) => void
  // What both parts import would be a third one.
  readonly asBridgeError: typeof asBridgeError
  readonly failure: typeof failure
  readonly readResponse: typeof readResponse
  /** Sets the deadline of a call of the page. */
  waitFor(clock: Clock, over: AbortSignal): Deadline
}

/** What the host answers. */
export type WishResult = Readonly<Record<string, unknown>>

/**
 * Asks by `confirm`, once for each app and thing. Since that holds up the page, it asks only where its user has just pressed
 * something; else `onError` is told.
 */
export function askUser(
  {
    page,
    appId,
    agreed,
    onError,
    failure,
  }: Pick<WishParts, 'page' | 'appId' | 'agreed' | 'onError' | 'failure'>,
  wish: AppLink | AppDownload,
): void {
  const [about, wants, go] = questionOf(wish)
  const key = `${appId} ${about}`
  const view = page.defaultView
  if (view?.navigator.userActivation?.isActive === false) {
    onError(failure('permission_denied', `app ${appId} wants to ${wants}, and its user pressed nothing`))
    return
  }
  if (!agreed.has(key) && !view?.confirm(`An app on this page wants to ${wants}`)) return
  agreed.add(key)
  go()
}

/** Tells the page what an app wants, when the host lets it: by a call of its own, or by what its document posts. */
export function createWishes(parts: WishParts) {
  const { page, forward, refused, asBridgeError } = parts

  /** Asks the host by a method of `window`. */
  async function ask(method: string, args: object): Promise<WishResult> {
    const { signal, end } = parts.waitFor(parts.clock, parts.over.signal)
    try {
      const text = await new Promise<string>((answer, reject) => {
        signal.throwIfAborted()
        const call: Call = { answer, id: parts.nextId(), ns: 'window', method, args: JSON.stringify(args) }
        signal.onabort = () => {
          forward.drop(call)
          reject(signal.reason)
        }
        forward.take([call])
      })
      const response = parts.readResponse(text)
      if (response.ok) return response.result
      const { code, message, details } = response.error
      throw parts.failure(code, message, details)
    } finally {
      // Else the window would keep each call of its page for as long as it is open.
      signal.onabort = null
      end()
    }
  }

  const tell = (type: string, wish: AppLink | AppDownload) =>
    parts.tell(type, wish, () => askUser(parts, wish))
  const open = ({ url }: WishResult) => tell('open_link', linkTo(page, url as string))
  const save = ({ name }: WishResult, from: Blob | string) =>
    tell('download', fileFor(page, name as string, from))
  return {
    ask,
    grant(method: string, result: WishResult) {
      if (method === 'open_link') open(result)
      else if (result.url) save(result, result.url as string)
    },
    link(url: unknown) {
      ask('open_link', { url }).then(open, (error) => refused(asBridgeError(error), 'open_link'))
    },
    file({ name, data }: Partial<Download>, port: MessagePort | undefined) {
      const isFile = data instanceof Blob
      ask('download', { name, size_bytes: isFile && data.size }).then(
        (result) => {
          port?.postMessage({ name: result.name })
          if (isFile) save(result, data)
        },
        (thrown) => {
          const error = asBridgeError(thrown)
          const { code, message, details } = error
          port?.postMessage({ error: { code, message, details } })
          refused(error, 'download')
        },
      )
    },
  }
}

/** What carries out the wishes of an app, and of its page. */
export type Wishes = ReturnType<typeof createWishes>
