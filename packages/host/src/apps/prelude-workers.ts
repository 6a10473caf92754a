import { WORKERS_PER_DOCUMENT, WORKERS_PER_WORKER } from '@svc/contract/browser'

/**
 * Makes `Worker` work in a document without an origin, and in the workers that it makes. A browser gives such a document
 * workers of `blob:` alone, and Chromium no module worker of these. So a worker of a file of the bundle begins as a small
 * classic script which loads that file. Messages wait until a module has loaded; relative addresses and `location` are
 * those of the file. Code that makes a worker of a blob or a `data:` URL of its own gets this script before its own.
 *
 * It also counts the workers that live, because a browser makes as many as it is asked for: a worker is counted until it
 * is ended by `terminate()`, by its own `close()` or by a failed load. `close` of a worker is told to its maker as an event.
 *
 * Walls need none of it: a worker inherits the policy of its document.
 *
 * It is a function that hands itself on as text: `base` is what relative addresses are relative to; `file` the address of
 * the worker's file, `null` in a document and for a blob; `isModule` whether that file is a module; `depth` how many workers it is in;
 * `mark` the message by which a worker says that it closes.
 */
export const workers = String.raw`function workers(base, file, isModule, depth, mark) {
  'use strict'
  const own = '' + workers
  const global = globalThis
  const { Worker: Native, Blob, URL, Map, Uint8Array, MessageEvent, Event, DOMException } = global
  const { createObjectURL, revokeObjectURL } = URL
  const { stringify } = JSON
  const set = (at, name, value) => Object.defineProperty(at, name, { value, writable: true, configurable: true })
  const absolute = (url) => new URL(url, base).href

  const blobs = new Map()
  const starts = new Map()
  set(URL, 'createObjectURL', (of) => {
    const url = createObjectURL(of)
    if (of instanceof Blob) blobs.set(url, of)
    return url
  })
  set(URL, 'revokeObjectURL', (url) => {
    revokeObjectURL(url)
    const start = starts.get('' + url)
    if (start) revokeObjectURL(start)
    starts.delete('' + url)
    blobs.delete('' + url)
  })
  const textOf = (data) => {
    const [, head, body] = /^data:([^,]*),(.*)$/s.exec(data)
    return /;\s*base64\s*$/i.test(head)
      ? Uint8Array.from(atob(decodeURIComponent(body)), (one) => one.charCodeAt(0))
      : decodeURIComponent(body)
  }
  const startOf = (href, protocol, asModule) => {
    if (protocol === 'blob:' && !blobs.has(href)) return href
    const key = asModule && protocol !== 'blob:' ? 'module ' + href : href
    if (!starts.has(key)) {
      const isFile = protocol !== 'blob:' && protocol !== 'data:'
      const head = '(' + own + ')(' + stringify(isFile ? href : base) + ',' + (isFile ? stringify(href) : null) + ',' + asModule + ',' + (depth + 1) + ',' + stringify(mark) + ');'
      const rest = isFile ? '' : (blobs.get(href) ?? textOf(href))
      starts.set(key, createObjectURL(new Blob([head, rest], { type: 'text/javascript' })))
    }
    return starts.get(key)
  }
  const most = [${WORKERS_PER_DOCUMENT}, ${WORKERS_PER_WORKER}, 0][depth]
  const living = new Map()
  let last = 0
  const ids = new WeakMap()
  const gone = new FinalizationRegistry((id) => living.delete(id))
  const { terminate } = Native.prototype
  set(Native.prototype, 'terminate', function () {
    living.delete(ids.get(this))
    terminate.call(this)
  })
  const Worker = new Proxy(Native, {
    construct(target, [url, options], made) {
      const { href, protocol } = new URL(url, base)
      if (living.size >= most)
        throw new DOMException(
          most
            ? (depth ? 'a worker' : 'an app in a window') + ' can have ' + most + ' workers at a time: end those that are done with terminate()'
            : 'a worker of a worker cannot make workers: make them where that one was made',
          'QuotaExceededError',
        )
      const start = startOf(href, protocol, options?.type === 'module')
      const worker = Reflect.construct(target, [start, { name: options?.name }], made)
      const id = ++last
      living.set(id, 1)
      ids.set(worker, id)
      gone.register(worker, id)
      worker.addEventListener('message', (event) => {
        if (event.data !== mark) return
        event.stopImmediatePropagation()
        living.delete(id)
        event.currentTarget.dispatchEvent(new Event('close'))
      })
      return worker
    },
  })
  set(Native.prototype, 'constructor', Worker)
  set(global, 'Worker', Worker)

  const { fetch, Request, XMLHttpRequest, importScripts, document } = global
  const input = (url) => (document || url instanceof Request ? url : absolute(url))
  // No address is of the same origin as none: the policy says what may be asked.
  const reachable = (options) => (options?.mode === 'same-origin' ? { ...options, mode: 'cors' } : options)
  set(global, 'fetch', (url, options) => fetch(input(url), reachable(options)))
  set(global, 'Request', new Proxy(Request, {
    construct: (target, [url, options], made) => Reflect.construct(target, [input(url), reachable(options)], made),
  }))
  if (document) return

  global.trustedTypes?.createPolicy('default', { createScript: (text) => text, createScriptURL: (url) => url })
  delete global.trustedTypes
  const { close, postMessage } = global
  const leave = () => {
    postMessage(mark)
    close()
  }
  set(global, 'close', leave)
  const { open } = XMLHttpRequest.prototype
  set(XMLHttpRequest.prototype, 'open', function (method, url, ...more) {
    return open.call(this, method, absolute(url), ...more)
  })
  set(global, 'importScripts', (...urls) => importScripts(...urls.map(absolute)))
  if (file === null) return
  set(global, 'location', new URL(file))
  if (!isModule) return importScripts(file)

  const held = []
  const kinds = ['message', 'messageerror']
  const hold = (event) => {
    event.stopImmediatePropagation()
    held.push(event)
  }
  for (const kind of kinds) addEventListener(kind, hold)
  import(file).then(
    () => {
      for (const kind of kinds) removeEventListener(kind, hold)
      for (const event of held) dispatchEvent(new MessageEvent(event.type, event))
    },
    // The worker's error event tells it in the document.
    (error) => {
      setTimeout(() => { throw error })
      setTimeout(leave)
    },
  )
}`
