import type { SmallApp } from './app-folder.ts'

/** Where the ways lead. */
export const SITE = 'https://site.test/a?b=1'
/** Ways of an ordinary app to lead away, each the body of a function; `add(html)` puts text into the document. */
export const leading: Readonly<Record<string, string>> = {
  'a link': `add('<a id=x href="${SITE}">x</a>').click()`,
  'a link in a card that stops the click': `add('<a id=x href="${SITE}"><b id=in>x</b></a>').onclick = (event) => event.stopPropagation()
    document.querySelector('#in').click()`,
  'a link behind which a listener clicks on another': `const inner = add('<a id=x href="#there">x</a>'); const outer = document.createElement('a')
    outer.href = '${SITE}'; outer.onclick = () => inner.click(); document.body.append(outer); outer.click()`,
  'a link for a new tab': `add('<a id=x target=_blank href="${SITE}">x</a>').click()`,
  'a link in SVG': `add('<svg><a id=x href="${SITE}"><text>x</text></a></svg>').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
  'the middle button on a link': `add('<a id=x href="${SITE}">x</a>').dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }))`,
  'a form that asks': `add('<form id=x action="https://site.test/a"><input name=b value=1><button>x</button></form>').querySelector('button').click()`,
  'a form that a script sends': `add('<form id=x action="https://site.test/a"><input name=b value=1></form>').submit()`,
  open: `if (open('${SITE}', '_blank') !== null) throw new Error('a window came')`,
}
/** What stays in the document and is told to nobody. */
export const staying: Readonly<Record<string, string>> = {
  'a click that a script takes': `add('<a id=x href="${SITE}">x</a>').onclick = (event) => event.preventDefault(); document.querySelector('#x').click()`,
  'a click that a script of the window takes': `addEventListener('click', (event) => event.preventDefault(), { once: true }); add('<a id=x href="${SITE}">x</a>').click()`,
  'a place in the document': `add('<a id=x href="#there">x</a>').click()`,
  'the place where the document is': `location.hash = 'there'; add('<a id=x href="#there">x</a>').click()`,
  'an address of the host': `add('<a id=x href="/about">x</a>').click()`,
  'a form that posts': `add('<form id=x method=post action="${SITE}"><button>x</button></form>').querySelector('button').click()`,
  'a form without an address': `add('<form id=x><button>x</button></form>').querySelector('button').click()`,
  'an address that means nothing': `add('<a id=x href="https://">x</a>').click()`,
  'an address of a script': `add('<a id=x href="javascript:void(0)">x</a>').click()`,
}

/** An app in whose document the ways are tried: it has `svc` and `add`. */
export const linksApp: SmallApp = {
  script: `import { svc } from '@svc/sdk'
    globalThis.svc = svc
    globalThis.add = (html) => { document.body.insertAdjacentHTML('beforeend', html); return document.querySelector('#x') }
    document.addEventListener('DOMContentLoaded', () => svc.ready.then(() => show('ready')))`,
}

/** The body of an async function in the document: asks for a page by itself, so that what was told before has come. */
export const thenAsk = `await new Promise((done) => setTimeout(done, 20)); await svc.window.open_link({ url: 'tel:1' })`
