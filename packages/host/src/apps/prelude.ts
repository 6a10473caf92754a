import { createHash } from 'node:crypto'

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
 * Frames in the files themselves are renamed by `document-pieces.ts`. The script runs first, keeps the functions that it
 * uses, and calls them in no way that a later script can change: a regular expression without a prototype has its own
 * `exec` and `flags`. Where anything of it fails, the document stops.
 */
const source = String.raw`(() => {
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
    const outer = { [part](...args) { return make((list) => apply(inner, this, list), args) } }[part]
    const fixed = part === 'value' ? { writable: false } : {}
    defineProperty(at, name, { ...native, ...fixed, [part]: outer, configurable: false })
  }
  const reader = (at, name) => {
    const { get } = getOwnPropertyDescriptor(at, name)
    return (it) => apply(get, it, [])
  }
  try {
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
    for (const name of ['write', 'writeln']) wrap(Document.prototype, name, () => refuse('document.' + name))
    for (const at of [Element.prototype, ShadowRoot.prototype])
      wrap(at, 'setHTML', (call, [text, options]) => call([html(text), options]))
    wrap(Document, 'parseHTML', (call, [text, options]) => call([html(text), options]))
    wrap(XMLHttpRequest.prototype, 'responseType', (call, [type]) => {
      const asked = '' + type
      return call([asked === 'document' ? 'text' : asked])
    })
    gone(XMLHttpRequest.prototype, 'responseXML', null)
  } catch (error) {
    stop()
    throw error
  }
})()`

/** The script, without its indentation. */
export const prelude = source.replaceAll(/\n\s*/g, '\n')

/** Its source expression for `script-src`. */
export const preludeHash = `'sha256-${createHash('sha256').update(prelude).digest('base64')}'`
