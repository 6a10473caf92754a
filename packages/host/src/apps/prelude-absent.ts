import { absentText, type BrowserFeatureId, browserFeatures } from '@svc/contract/browser-features'

const named = [
  'localStorage',
  'sessionStorage',
  'cookies',
  'indexedDB',
  'caches',
  'opfs',
  'locks',
  'blobWorklet',
] as const
const texts = Object.fromEntries(named.map((id: BrowserFeatureId) => [id, absentText(browserFeatures[id])]))

/**
 * Says by name what a browser refuses a document without an origin, and what to use in its place: browsers say that "the
 * operation is insecure". What is only read is empty, as where a browser has no room left, for libraries look at it as they load.
 *
 * It is no wall but for worklets: the sandbox is. An app may put something of its own in place of each. `wrap`, `apply`, `exec`
 * and `isWebKit` are those of the prelude.
 */
export const absent = `{
  const texts = ${JSON.stringify(texts)}
  const told = new Set()
  const put = (at, name, value) => at && Object.defineProperty(at, name, { value, writable: true, configurable: true })
  const error = (id, name = 'SecurityError') => {
    if (!told.has(id)) console.warn('svc: ' + texts[id])
    told.add(id)
    return new DOMException(texts[id], name)
  }
  const fail = (id, name) => () => { throw error(id, name) }
  const reject = (id) => () => Promise.reject(error(id))
  const each = (at, names, value) => { if (at) for (const name of names) put(at, name, value) }

  for (const id of ['localStorage', 'sessionStorage']) {
    const full = fail(id, 'QuotaExceededError')
    const empty = Object.create(Storage.prototype)
    put(empty, 'length', 0)
    each(empty, ['getItem', 'key'], () => null)
    each(empty, ['removeItem', 'clear'], () => {})
    put(empty, 'setItem', full)
    put(globalThis, id, new Proxy(empty, { set: full, defineProperty: full }))
  }
  Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: fail('cookies'), configurable: true, enumerable: true })
  each(globalThis.CookieStore?.prototype, ['get', 'getAll', 'set', 'delete'], reject('cookies'))
  each(IDBFactory.prototype, ['open', 'deleteDatabase'], fail('indexedDB'))
  const none = {}
  each(none, ['open', 'match', 'has', 'keys', 'delete'], reject('caches'))
  put(globalThis, 'caches', none)
  put(globalThis.StorageManager?.prototype, 'getDirectory', reject('opfs'))
  each(globalThis.LockManager?.prototype, ['request', 'query'], reject('locks'))

  // A wall: WebKit asks no policy about what the module of a worklet imports.
  const imports = /\\b(import|export)\\b/
  const { fetch, Promise } = globalThis
  const { text } = Response.prototype
  const { then } = Promise.prototype
  // The answer comes by the own \`then\`: a wait would ask the one that an app may have put in its place.
  const after = (promise, done, fail) => apply(then, promise, [done, fail])
  wrap(globalThis.Worklet?.prototype, 'addModule', (call, [url, options]) => new Promise((done, fail) => {
    const href = '' + new URL(url, document.baseURI)
    const go = () => after(call([href, options]), done, fail)
    if (/^(blob|data):/.test(href)) throw error('blobWorklet')
    if (!isWebKit) return go()
    after(fetch(href), (file) => after(apply(text, file, []), (code) => {
      if (!apply(exec, imports, [code])) return go()
      fail(new DOMException('a worklet cannot import in this browser: let the bundler make one file of it', 'NotSupportedError'))
    }, fail), fail)
  }))

  // WebKit keeps the address of a document without an origin, but for its hash: the state is kept, too, and an app goes on.
  for (const name of ['pushState', 'replaceState']) {
    const native = History.prototype[name]
    put(History.prototype, name, function (state, title, url) {
      try {
        return native.call(this, state, title, url)
      } catch (error) {
        if (error.name !== 'SecurityError' || new URL(url, document.baseURI).origin !== location.origin) throw error
        return native.call(this, state, title)
      }
    })
  }
}`
