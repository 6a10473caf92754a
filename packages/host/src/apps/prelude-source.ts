import { absent } from './prelude-absent.ts'
import { dialogs } from './prelude-dialogs.ts'
import { links } from './prelude-links.ts'
import { place } from './prelude-place.ts'
import { workers } from './prelude-workers.ts'

/**
 * What runs in each HTML document of a bundle before any script of it: a second wall behind `Connection-Allowlist`,
 * for browsers without it. It takes WebRTC and the like away, and keeps frames from being made, whose documents would
 * have them again:
 *
 * - elements by name: `createElement`, `createElementNS`, `createDocument`, `customElements.define(…, { extends })`;
 * - HTML and XML text: the default policy of Trusted Types sees the text of every such call, and renames the tag;
 *   `setHTML` and `parseHTML`, which need no policy, are wrapped; `document.write` could cut a tag in two, so it is
 *   refused, and so are documents that `XMLHttpRequest` parses and what XSLT makes.
 *
 * Before all that it ends a document that is not for the window of its frame
 * (docs/decisions/0155-a-document-is-bound-to-its-frame.md).
 *
 * Frames in the files themselves are renamed by `document-pieces.ts`. The script runs first, keeps the functions that it
 * uses, and calls them in no way that a later script can change: a regular expression without a prototype has its own
 * `exec` and `flags`. At its end it opens the document to what stands behind it; where it does not run, or fails, all of
 * that is plain text (docs/decisions/0201-nothing-runs-without-the-prelude.md).
 */
export const source = String.raw`(() => {
  'use strict'
  const { apply } = Reflect
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, setPrototypeOf } = Object
  const gone = (at, name, value) =>
    defineProperty(at, name, { value, writable: false, configurable: false, enumerable: false })
  const wrap = (at, name, make) => {
    const native = at && getOwnPropertyDescriptor(at, name)
    const part = native && (native.value ? 'value' : 'set')
    if (!part || !native[part]) return
    const inner = native[part]
    const outer = { [part](...args) { return make((list) => apply(inner, this, list), args, this) } }[part]
    const fixed = part === 'value' ? { writable: false } : {}
    defineProperty(at, name, { ...native, ...fixed, [part]: outer, configurable: false })
  }
  const reader = (at, name) => {
    const { get } = getOwnPropertyDescriptor(at, name)
    return (it) => apply(get, it, [])
  }
  // Only the page names a frame: by the window that it made it for. What runs here must not name it anew.
  const [named, at = ''] = globalThis.name.split(/ (?=[?#])/)
  const [made, ...keys] = named.trimEnd().split(' ')
  const { set } = getOwnPropertyDescriptor(globalThis, 'name')
  const setName = (name) => apply(set, globalThis, [name])
  const { window: own, may = '' } = document.currentScript.dataset
  defineProperty(globalThis, 'name', { value: '', writable: true, configurable: true, enumerable: true })
  if (made !== '' && made !== own) {
    parent.postMessage({ svc: 'stray' }, '*')
    throw new Error('this document is of another window than its frame')
  }
  if (globalThis.origin !== 'null') throw new Error('no sandbox')

  const isWebKit = navigator.vendor.startsWith('Apple')
  const { exec, [Symbol.replace]: replace } = RegExp.prototype
  const tags =
    /<(?:(!)(?=entity)|([^\s<>]*:)?(?=(?:iframe|frame|object|embed|fencedframe|portal)(?:[\s\/>]|$)))/gi
  setPrototypeOf(tags, null)
  tags.exec = exec
  tags.flags = 'gi'
  const html = (text) => apply(replace, tags, ['' + text, '<$1$2x'])
  const same = (text) => text
  if (globalThis.trustedTypes)
    trustedTypes.createPolicy('default', { createHTML: html, createScript: same, createScriptURL: same })
  // A library that finds it makes a policy of its own, which is refused; one that does not passes plain text.
  delete globalThis.trustedTypes

  const closed =
    /^(webkit)?RTC|^WebTransport|^(WebSocketStream|XSLTProcessor|FencedFrameConfig|MediaMetadata)$/
  for (const name of getOwnPropertyNames(globalThis)) if (closed.test(name)) gone(globalThis, name, undefined)

  const nameOf = reader(Element.prototype, 'localName')
  const rootOf = reader(Document.prototype, 'documentElement')
  const frames = { __proto__: null, iframe: 1, frame: 1, object: 1, embed: 1, fencedframe: 1, portal: 1 }
  const refuse = (what) => {
    throw new Error('an app in a window cannot use ' + what)
  }
  const judge = (element) => {
    const name = element === null ? '' : nameOf(element)
    if (frames[name]) refuse('<' + name + '>')
  }
  for (const name of ['createElement', 'createElementNS'])
    wrap(Document.prototype, name, (call, args) => {
      const element = call(args)
      judge(element)
      return element
    })
  wrap(DOMImplementation.prototype, 'createDocument', (call, args) => {
    const made = call(args)
    judge(rootOf(made))
    return made
  })
  wrap(CustomElementRegistry.prototype, 'define', (call, [name, from, options]) => {
    const base = options?.extends
    if (base === undefined) return call([name, from])
    const local = '' + base
    if (frames[local]) refuse('<' + local + '>')
    return call([name, from, { __proto__: null, extends: local }])
  })
  for (const at of [Element.prototype, ShadowRoot.prototype])
    wrap(at, 'setHTML', (call, [text, options]) => call([html(text), options]))
  wrap(Document, 'parseHTML', (call, [text, options]) => call([html(text), options]))
  wrap(XMLHttpRequest.prototype, 'responseType', (call, [type]) => {
    const asked = '' + type
    return call([asked === 'document' ? 'text' : asked])
  })
  gone(XMLHttpRequest.prototype, 'responseXML', null)

  const unshared = (what, instead) =>
    new DOMException('an app in a window cannot use ' + what + ', which windows would share: ' + instead, 'NotSupportedError')
  gone(globalThis, 'SharedWorker', function SharedWorker() {
    throw unshared('SharedWorker', 'use Worker, and svc.storage for what windows have in common')
  })
  const noServiceWorker = () => Promise.reject(unshared('a service worker', 'the host keeps its files and tells it of changes'))
  gone(Navigator.prototype, 'serviceWorker', Object.assign(new EventTarget(), {
    controller: null,
    ready: new Promise(() => {}),
    register: noServiceWorker,
    getRegistration: async () => undefined,
    getRegistrations: async () => [],
  }))
  ;(${workers})(document.baseURI, null, false, 0, 'svc closed ' + Math.random())
  ;${links}
  ${absent}
  ;${dialogs}
  ;${place}
  document.write('<!'.padEnd(4, '-'))
  for (const name of ['write', 'writeln']) wrap(Document.prototype, name, () => refuse('document.' + name))
})()`
