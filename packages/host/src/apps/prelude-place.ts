/** What the bridge adds to the query of an entry whose document is to be where the one before it was. */
const AGAIN = '&again'

/**
 * Keeps where an app is through a reload. `pushState` and `replaceState` write any address, which may lead to no file or
 * have no ticket any more. Query and hash are kept in the name of the frame, which no other document reads, and an entry that
 * the page asks for again takes them from there. The page is told when a document begins and goes (`Place` of the wire).
 *
 * `setName` is the browser's own, `named` what the page named the frame, `at` what was kept behind it. Later scripts can
 * change every prototype: what stands before `at` in the name is joined by no function.
 */
export const place = `((setName, named, at) => {
  const { pathname, search } = location
  const ticket = new URLSearchParams(search).get('window')
  let lost = false
  const note = () => {
    const { search: query, hash } = location
    lost ||= location.pathname !== pathname || new URLSearchParams(query).get('window') !== ticket
    const kept = (ticket === null ? query : query.replace('window=' + ticket, 'window=')) + hash
    if (named !== '') setName(named + (kept === '' || kept.length > 4096 ? '' : ' ' + kept))
  }
  for (const name of ['pushState', 'replaceState']) {
    const inner = History.prototype[name]
    History.prototype[name] = { [name](...args) {
      inner.apply(this, args)
      note()
    } }[name]
  }
  for (const type of ['hashchange', 'popstate']) addEventListener(type, note)
  const { port1, port2 } = new MessageChannel()
  const tell = port1.postMessage.bind(port1)
  addEventListener('pagehide', () => tell(lost), { once: true })
  // Firefox stays where it is, and says nothing, when the page's policy has no such address. Elsewhere nobody listens:
  // Chromium would ask a document that hangs, and wait for it.
  if (navigator.userAgent.includes('Firefox'))
    addEventListener('beforeunload', () => { if (lost) setTimeout(tell, 2000, lost) }, { once: true })
  parent.postMessage({ svc: 'place' }, '*', [port2])
  if (search.endsWith('${AGAIN}')) {
    const plain = search.slice(0, -'${AGAIN}'.length)
    const whole = ticket === null ? at : at.replace(/([?&]window=)(?=&|#|$)/, '$1' + ticket)
    history.replaceState(null, '', pathname + (whole[0] === '?' ? whole : plain + whole))
  }
})(setName, named, at)`
