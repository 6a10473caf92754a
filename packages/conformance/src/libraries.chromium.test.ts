import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

/** How libraries come to a policy of Trusted Types, and put text into the document with it. */
const patterns = {
  lit: `const { trustedTypes } = globalThis
    const policy = trustedTypes ? trustedTypes.createPolicy('lit-html', { createHTML: (text) => text }) : undefined
    const template = document.createElement('template')
    template.innerHTML = policy === undefined ? TEXT : policy.createHTML(TEXT)
    return document.importNode(template.content, true)`,
  dompurify: `const { trustedTypes, DOMParser } = globalThis
    const policy = typeof trustedTypes === 'object' && typeof trustedTypes.createPolicy === 'function'
      ? trustedTypes.createPolicy('dompurify', { createHTML: (text) => text }) : null
    const parsed = new DOMParser().parseFromString(policy ? policy.createHTML(TEXT) : TEXT, 'text/html')
    const walker = document.createNodeIterator(parsed.body, NodeFilter.SHOW_ELEMENT)
    for (let node; (node = walker.nextNode()); ) for (const { name } of [...node.attributes]) if (/^on/.test(name)) node.removeAttribute(name)
    const made = document.createElement('div')
    made.innerHTML = parsed.body.innerHTML
    return made`,
  angular: `let policy = null
    if (globalThis.trustedTypes !== undefined)
      policy = globalThis.trustedTypes.createPolicy('angular', { createHTML: (text) => text, createScriptURL: (text) => text })
    const made = document.createElement('div')
    made.insertAdjacentHTML('beforeend', policy?.createHTML(TEXT) ?? TEXT)
    return made`,
  'a look by name': `const policy = 'trustedTypes' in window ? trustedTypes.createPolicy('x', { createHTML: (text) => text }) : null
    const made = document.createElement('div')
    made.innerHTML = policy ? policy.createHTML(TEXT) : TEXT
    return made`,
  'a polyfill': `if (!globalThis.trustedTypes) globalThis.trustedTypes = { createPolicy: (name, rules) => rules }
    const made = document.createElement('div')
    made.innerHTML = trustedTypes.createPolicy('filled', { createHTML: (text) => text }).createHTML(TEXT)
    delete globalThis.trustedTypes
    return made`,
} as const

/** Notes which elements each pattern makes of a text; its frame is one by no name that a browser knows. */
const script = `const TEXT = '<p class="x">one</p><ul><li>two</li></ul><iframe src="/"></iframe>'
  const made = {}
  for (const [name, make] of Object.entries({ ${Object.entries(patterns)
    .map(([name, body]) => `${JSON.stringify(name)}: () => { ${body} }`)
    .join(',\n')} }))
    try { made[name] = [...make().querySelectorAll('*')].map(({ localName }) => localName).join(' ') }
    catch (error) { made[name] = String(error) }
  show(made)`

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  at = await openRealPage(browser, { libraries: script })
})
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

verifies('wall.bundle.libraries', 'libraries with a policy of their own make elements of text', async () => {
  await at.mountSilent('libraries')
  expect(await at.shown()).toEqual(
    Object.fromEntries(Object.keys(patterns).map((name) => [name, 'p ul li xiframe'])),
  )
})
