import { failure } from './bridge-error.ts'

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
      if (url.origin === origin && !url.pathname.startsWith(pathname.replace(/\/*$/, '/')))
        throw failure(
          'invalid_arg',
          `the host has its apps at ${url.pathname}, outside of the bridge's baseUrl ${pathname}; start it with the same basePath`,
        )
      return silences ? url.href.replace(/(\/\/[\da-f]{32})(-\d+)?\./, `$1-${silences}.`) : url.href
    },
    moveOn() {
      silences++
    },
  }
}

/** Makes the sandboxed iframe of a window (`wall.iframe.opaque`): scripts and nothing else, an opaque origin. */
export function createIframe(page: Document, title: string): HTMLIFrameElement {
  const iframe = page.createElement('iframe')
  iframe.sandbox = 'allow-scripts'
  iframe.referrerPolicy = 'no-referrer'
  iframe.title = title
  iframe.style.cssText = 'border:0;width:100%;height:100%'
  return iframe
}
