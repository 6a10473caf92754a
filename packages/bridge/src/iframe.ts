import { failure } from './bridge-error.ts'

/** The address of a bundle's entry: of the web, nothing that runs in the page. */
export function entryAddress(entryUrl: string, base: string): string {
  const url = new URL(entryUrl, base)
  if (!/^https?:$/.test(url.protocol))
    throw failure('invalid_arg', `entry_url must be an http or https address, got ${url.protocol}`)
  return url.href
}

/** Makes the sandboxed iframe of a window (design §8): scripts and nothing else, an opaque origin. */
export function createIframe(page: Document, title: string): HTMLIFrameElement {
  const iframe = page.createElement('iframe')
  iframe.setAttribute('sandbox', 'allow-scripts')
  iframe.referrerPolicy = 'no-referrer'
  iframe.title = title
  iframe.style.cssText = 'border:0;width:100%;height:100%'
  return iframe
}
