import { failure } from './bridge-error.ts'

/** The address of a bundle's entry: of the web, nothing that runs in the page; at the host, under its base path. */
export function entryAddress(entryUrl: string, base: string): string {
  const url = new URL(entryUrl, base)
  if (!/^https?:$/.test(url.protocol))
    throw failure('invalid_arg', `entry_url must be an http or https address, got ${url.protocol}`)
  const { origin, pathname } = new URL(base)
  if (url.origin === origin && !url.pathname.startsWith(pathname.replace(/\/*$/, '/')))
    throw failure(
      'invalid_arg',
      `the host has its apps at ${url.pathname}, outside of the bridge's baseUrl ${pathname}; start it with the same basePath`,
    )
  return url.href
}

/**
 * The address of an entry on a page whose documents stopped responding `count` times: at another site of its app, where
 * it has sites of its own. A browser gives a document of the same site the process that hangs, as long as that lives.
 */
export const addressApart = (entry: string, count: number): string =>
  count ? entry.replace(/(\/\/[\da-f]{32})(-\d+)?\./, `$1-${count}.`) : entry

/** Makes the sandboxed iframe of a window (`wall.iframe.opaque`): scripts and nothing else, an opaque origin. */
export function createIframe(page: Document, title: string): HTMLIFrameElement {
  const iframe = page.createElement('iframe')
  iframe.sandbox = 'allow-scripts'
  iframe.referrerPolicy = 'no-referrer'
  iframe.title = title
  iframe.style.cssText = 'border:0;width:100%;height:100%'
  return iframe
}
