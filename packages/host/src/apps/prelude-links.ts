/**
 * Keeps a document where it is when a link, a form or `open()` would lead it away: it could not come back. Links to
 * other sites are told to the page, which asks its user (`Link` of the wire); anything else that would leave says so in
 * the console. What a script prevents by itself stays as it is, so the last listener of the event judges; where a listener
 * stops the event before that, or none can prevent it, a target that no sandbox opens closes the way for a moment.
 *
 * A link with `download` to what the app has is told as a file to save (`Download` of the wire).
 * In the same way the page is told of keys that it asked for by the name of the frame and that no script took.
 *
 * It is no wall: `form-action 'none'` and the sandbox are. `wrap` is that of the prelude.
 */
export const links = `((wrap, keys) => {
  const { href: own, origin } = new URL('.', document.baseURI)
  const here = () => location.href.split('#')[0]
  const warn = (what) => console.error('svc: ' + what)
  const tell = (href) => {
    const { protocol, origin: site } = new URL(href)
    if (!/^(https?|mailto|tel):$/.test(protocol)) return warn('an app in a window cannot open ' + protocol + ' addresses')
    if (site === origin) return warn(href + ' is not among the files of this app, and was not opened')
    parent.postMessage({ svc: 'link', url: href }, '*')
  }
  const leads = (href) => !/^(blob|data|javascript|about):/.test(href) && !href.startsWith(own) && href.split('#')[0] !== here()

  const plainOf = (text) => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  const scroll = (id) => {
    const place = document.getElementById(id)
    if (place) place.scrollIntoView()
    else if (/^(top)?$/i.test(id)) scrollTo(0, 0)
  }
  const leading = (at, text) => {
    const url = URL.parse(text, document.baseURI)
    if (!url) return { at, go: () => warn(text + ' is no address') }
    // WebKit tells the page that the frame has loaded, as if another document had come.
    if (isWebKit && url.href === location.href && url.href.includes('#')) return { at, go: () => scroll(plainOf(url.hash.slice(1))) }
    return leads(url.href) ? { at, go: () => tell(url.href) } : null
  }
  // A file of the app, or one that it made, is read here: what comes after the click may take it away.
  const saving = (at, href) => {
    const name = at.download || (/^(blob|data):/.test(href) ? '' : decodeURI(href.split(/[?#]/)[0].split('/').pop()))
    const offer = (data) => parent.postMessage({ svc: 'download', name: name || 'download', data }, '*')
    const failed = () => warn(href.slice(0, 200) + ' could not be read, and was not saved')
    return { at, go: () => void fetch(href).then((file) => file.ok ? file.blob().then(offer) : failed()).catch(failed) }
  }
  const ofLink = (event) => {
    for (const at of event.composedPath()) {
      const href = at.localName === 'a' || at.localName === 'area' ? (at.href.baseVal ?? at.href) : ''
      if (!href) continue
      return at.hasAttribute('download') && (/^(blob|data):/.test(href) || href.startsWith(own)) ? saving(at, href) : leading(at, href)
    }
    return null
  }
  const ofForm = (form, by) => {
    const said = (name) => by?.getAttribute('form' + name) ?? form.getAttribute(name) ?? ''
    if (/^dialog$/i.test(said('method'))) return null
    const url = URL.parse(said('action') || here(), document.baseURI)
    if (!url || /^post$/i.test(said('method')) || !leads(url.href))
      return { at: form, go: () => warn('this form would leave the app: call preventDefault() of its submit event, and send what it holds with svc') }
    url.search = new URLSearchParams(new FormData(form, by))
    return { at: form, go: () => tell(url.href) }
  }

  const watched = new WeakMap()
  // An event that nobody can judge, or prevent, at its end.
  const shut = (event, { at, go }) => {
    const before = at.getAttribute('target')
    at.setAttribute('target', '_blank')
    setTimeout(() => {
      if (before === null) at.removeAttribute('target')
      else at.setAttribute('target', before)
      if (!event.defaultPrevented) go()
    })
  }
  const last = (event) => {
    const found = watched.get(event)
    watched.delete(event)
    if (!found || event.defaultPrevented) return
    if (!event.cancelable) return shut(event, found)
    event.preventDefault()
    found.go()
  }
  const watch = (type, of) =>
    addEventListener(type, (event) => {
      const found = of(event)
      if (!found) return
      watched.set(event, found)
      // Behind all that listen now. It stays: a listener may click on something else meanwhile.
      removeEventListener(type, last)
      addEventListener(type, last)
    }, true)
  watch('click', (event) => (event.button === 0 ? ofLink(event) : null))
  watch('auxclick', (event) => (event.button === 1 ? ofLink(event) : null))
  watch('submit', (event) => ofForm(event.target, event.submitter))
  // What an app may still replace, on its own objects too.
  const patch = (at, name, make) => {
    const inner = at[name]
    at[name] = { [name](...args) { return make((list) => inner.apply(this, list), args, this) } }[name]
  }
  const stopped = (call, args, event) => {
    call(args)
    const found = watched.get(event)
    watched.delete(event)
    if (found) shut(event, found)
  }
  for (const name of ['stopPropagation', 'stopImmediatePropagation']) patch(Event.prototype, name, stopped)
  wrap(Event.prototype, 'cancelBubble', stopped)
  wrap(HTMLFormElement.prototype, 'submit', (call, args, form) => {
    const found = ofForm(form)
    if (found) found.go()
    else call(args)
  })
  // A link outside of the document tells nobody but itself.
  const loose = (call, args, at) => {
    if (!(at instanceof HTMLAnchorElement) || at.isConnected) return call(args)
    const root = at.getRootNode()
    const judge = (event) => {
      const found = event.defaultPrevented ? null : ofLink(event)
      if (!found) return
      event.preventDefault()
      found.go()
    }
    root.addEventListener('click', judge)
    try {
      return call(args)
    } finally {
      root.removeEventListener('click', judge)
    }
  }
  patch(HTMLElement.prototype, 'click', loose)
  patch(EventTarget.prototype, 'dispatchEvent', loose)
  wrap(globalThis, 'open', (_, [url]) => {
    if (url !== undefined && url !== '') tell(new URL(url, document.baseURI).href)
    return null
  })

  // Never what types a text: with Alt, that is a letter of its own on some keyboards.
  const isField = (at) => at.isContentEditable || /^(input|textarea|select)$/.test(at.localName)
  const nameOf = ({ key, code, shiftKey, altKey, ctrlKey, metaKey, isComposing }, at) => {
    if (isComposing) return ''
    const isPlain = !ctrlKey && !metaKey
    if (/^F[0-9]+$/.test(key)) return isPlain && !altKey ? (shiftKey ? 'Shift+' : '') + key : ''
    const isLetter = /^[a-z]$/i.test(key)
    if (shiftKey || !(isLetter || (altKey && !isField(at)))) return ''
    if (altKey) return isPlain && /^Key[A-Z]$/.test(code) ? 'Alt+' + code[3] : ''
    return ctrlKey !== metaKey ? 'Mod+' + key.toUpperCase() : ''
  }
  const nowhere = document.createElement('a')
  if (keys.length > 0) watch('keydown', (event) => {
    const name = nameOf(event, event.composedPath()[0])
    const go = () => parent.postMessage({ svc: 'key', key: name }, '*')
    return event.isTrusted && keys.includes(name) ? { at: nowhere, go } : null
  })
})(wrap, keys)`
