import type { BridgeOptions, Into } from './bridge.ts'
import { failure } from './bridge-error.ts'
import type { WindowRecord } from './routes.ts'

/** The addresses of bundles' entries on a page. */
export interface Addresses {
  /** Of the web, nothing that runs in the page; at the host, under its base path. */
  of(entryUrl: string): string
  /**
   * A document stopped responding: from now on, entries are at another site of their app, where it has sites of its own.
   * A browser gives a document of the same site the process that hangs, as long as that lives.
   */
  moveOn(): void
}

/** Makes the addresses of a page whose host is at `base`. */
export function createAddresses(base: string): Addresses {
  const { origin, pathname } = new URL(base)
  let silences = 0
  return {
    of(entryUrl) {
      const url = new URL(entryUrl, base)
      if (!/^https?:$/.test(url.protocol))
        throw failure('invalid_arg', `entry_url must be an http or https address, got ${url.protocol}`)
      if (url.origin === origin && !url.pathname.startsWith(pathname.replace(/(?<!\/)\/*$/, '/')))
        throw failure(
          'invalid_arg',
          `the host has its apps at ${url.pathname}, outside of the bridge's baseUrl ${pathname}; start it with the same basePath`,
        )
      // What an isolated page of WebKit shows has no worker, so a document is made for one alone.
      if (globalThis.crossOriginIsolated) url.search = url.search.replace(/(&isolated)?$/, '&isolated')
      return silences ? url.href.replace(/(\/\/[\da-f]{32})(-\d+)?\./, `$1-${silences}.`) : url.href
    },
    moveOn() {
      silences++
    },
  }
}

/** The address of an entry whose document is to be where the one before it was, which its frame knows. */
export const againAt = (entry: string) => `${entry}${entry.includes('?') ? '' : '?'}&again`

/** What an app may ask of its browser that a frame has by its `allow`; the rest of `ui.browser` is in its `sandbox`, or ours to do. */
const ISOLATED = 'cross-origin-isolated'
const features = ['clipboard-write', 'fullscreen', ISOLATED]

/**
 * Makes the sandboxed iframe of a window (`wall.iframe.opaque`): scripts and forms that go to scripts, an opaque origin. By its name a
 * document sees for which window the frame is (docs/decisions/0155-a-document-is-bound-to-its-frame.md), and which keys the page
 * asks for.
 */
export function createIframe(
  page: Document,
  { window_uuid, title, browser = [] }: Pick<WindowRecord, 'window_uuid' | 'title' | 'browser'>,
  { mount, keys = [], isolated }: Pick<BridgeOptions, 'keys' | 'isolated'> & { readonly mount: Into },
): HTMLIFrameElement {
  const iframe = page.createElement('iframe')
  iframe.name = [window_uuid, ...keys].join(' ')
  iframe.sandbox = `allow-scripts allow-forms${browser.includes('print') ? ' allow-modals' : ''}`
  iframe.allow = features
    .filter((one) => browser.includes(one) || (isolated && one === ISOLATED))
    .map((one) => `${one} *`)
    .join('; ')
  iframe.referrerPolicy = 'no-referrer'
  iframe.title = mount.title ?? title
  iframe.style.cssText = 'border:0;width:100%;height:100%'
  return iframe
}
