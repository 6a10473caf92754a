/**
 * Ways of a document to bring the document of another window into its own frame, each the body of a function. In scope:
 * `url`, the address with the ticket of that window, and `owner`, the uuid in it.
 */
export const swaps = {
  location: 'location.href = url',
  replace: 'location.replace(url)',
  refresh: `const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + url; document.head.append(m)`,
  'two tickets': `const to = new URL(url); to.searchParams.append('window', new URL(location).searchParams.get('window')); location = to`,
  'a name': 'name = owner; self.name = owner; location = url',
  'a deleted name': 'delete self.name; self.name = owner; location = url',
  'a defined name': `Object.defineProperty(self, 'name', { value: owner }); location = url`,
  'a declared name': `const s = document.createElement('script'); s.src = 'name.js?' + owner
    s.onload = s.onerror = () => { location = url }; document.head.append(s)`,
  'a name of the prototypes': `for (let at = self; at; at = Object.getPrototypeOf(at)) {
      try { Object.getOwnPropertyDescriptor(at, 'name')?.set?.call(self, owner) } catch {}
      try { delete at.name } catch {}
      try { Reflect.set(at, 'name', owner, self) } catch {} }
    location = url`,
  'a name by opening': `try { open('', owner) } catch {} try { open('about:blank', '_self', owner) } catch {}
    document.open('', owner); self.name = owner; location = url`,
  'an opened document': `document.open(); self.name = owner; location = url`,
  'a name from outside':
    'try { parent.frames[0].name = owner } catch {} try { frames.name = owner } catch {} location = url',
} as const

/** Tells whoever is around that it runs, and takes a way when it is told to. */
export const canSwap = `
  globalThis.ways = {${Object.entries(swaps)
    .map(([way, body]) => `${JSON.stringify(way)}: (url, owner) => { ${body} }`)
    .join(',\n')}}
  parent.postMessage({ note: 'runs' }, '*')
  show('runs')`
