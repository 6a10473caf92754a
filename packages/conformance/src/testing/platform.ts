import type { SmallApp } from './app-folder.ts'
import { show } from './bridge-page.ts'
import { font } from './font.ts'
import { wav } from './wav.ts'

/** A module with the one function `add`. */
const wasm = Buffer.from('AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=', 'base64')

/** Asks a worker, and gives its first answer, or what went wrong. */
const ask = `const ask = (worker, message = 1) => new Promise((done) => {
  worker.onmessage = ({ data }) => done(data)
  worker.onerror = (event) => { event.preventDefault?.(); done('error: ' + event.message) }
  worker.postMessage(message)
})`

const files: Readonly<Record<string, string | Uint8Array>> = {
  'data.json': '{"own":true}',
  'sum.wasm': wasm,
  'tone.wav': wav(),
  'own.woff2': font,
  'part.mjs': `export const part = 'part'`,
  'lib.js': `self.lib = 'lib'`,
  'classic.js': `importScripts('./lib.js', 'lib.js'); onmessage = async ({ data }) =>
    postMessage([data, self.lib, (await (await fetch('data.json')).json()).own, location.pathname.endsWith('/classic.js')])`,
  'module.mjs': `import { part } from './part.mjs'
    const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL('sum.wasm', import.meta.url)))
    self.onmessage = ({ data: n, ports }) => (ports[0] ?? self).postMessage([part, instance.exports.add(n, 2), name])`,
  'json.mjs': `import data from './data.json' with { type: 'json' }; onmessage = () => postMessage(data.own)`,
  'nested.mjs': `const inner = new Worker(new URL('./module.mjs', import.meta.url), { type: 'module', name: 'inner' })
    inner.onmessage = ({ data }) => postMessage(data); onmessage = ({ data }) => inner.postMessage(data)`,
  'broken.mjs': `import './nothing.mjs'`,
}

/** What an ordinary app does: the body of an async function in its document, and what that gives. */
export const platformRows: Readonly<Record<string, readonly [body: string, result: unknown]>> = {
  'fetch of an own file': [`return (await (await fetch('data.json')).json()).own`, true],
  'XMLHttpRequest of an own file': [
    `return new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', 'data.json'); x.responseType = 'json'
      x.onload = () => done(x.response.own); x.onerror = () => done('error'); x.send() })`,
    true,
  ],
  'import of JSON': [`return (await import('./data.json', { with: { type: 'json' } })).default.own`, true],
  'fetch of a data: and a blob: URL': [
    `return (await (await fetch('data:,x')).text()) + (await (await fetch(URL.createObjectURL(new Blob(['y'])))).text())`,
    'xy',
  ],
  'WebAssembly as it streams': [
    `return (await WebAssembly.instantiateStreaming(fetch('sum.wasm'))).instance.exports.add(1, 2)`,
    3,
  ],
  'WebAssembly of bytes': [
    `return (await WebAssembly.instantiate(await (await fetch('sum.wasm')).arrayBuffer())).instance.exports.add(1, 2)`,
    3,
  ],
  'audio of a file, which it can seek': [
    `const a = new Audio('tone.wav'); await new Promise((done, no) => { a.oncanplaythrough = done; a.onerror = () => no(a.error); a.load() })
     a.currentTime = 0.5; await new Promise((done) => { a.onseeked = done }); return a.currentTime`,
    0.5,
  ],
  'audio of a blob': [
    `const a = new Audio(URL.createObjectURL(await (await fetch('tone.wav')).blob()))
     return new Promise((done) => { a.oncanplaythrough = () => done(a.duration); a.onerror = () => done(a.error.message) })`,
    1,
  ],
  'a video element of a file, which it can seek': [
    `const v = document.createElement('video'); v.src = 'tone.wav'; await new Promise((done, no) => { v.oncanplaythrough = done; v.onerror = () => no(v.error); v.load() })
     v.currentTime = 0.25; await new Promise((done) => { v.onseeked = done }); return v.currentTime`,
    0.25,
  ],
  'fonts of a file and of a data: URL': [
    `const bytes = await (await fetch('own.woff2')).bytes?.() ?? new Uint8Array(await (await fetch('own.woff2')).arrayBuffer())
     const data = 'data:font/woff2;base64,' + btoa(String.fromCharCode(...bytes))
     document.body.insertAdjacentHTML('beforeend', '<style>@font-face { font-family: own; src: url(own.woff2) } @font-face { font-family: told; src: url(' + data + ') }</style>')
     return Promise.all(['own', 'told'].map(async (name) => { await document.fonts.load('10px ' + name, 'a')
       const line = document.createElement('canvas').getContext('2d'); line.font = '10px ' + name; return line.measureText('a').width }))`,
    [30, 30],
  ],
  'a form that submits to a script': [
    `document.body.insertAdjacentHTML('beforeend', '<form id=f><input name=a value=1 required><button>x</button></form>')
     return new Promise((done) => { f.onsubmit = (event) => { event.preventDefault(); done(new FormData(f).get('a')) }; f.querySelector('button').click() })`,
    '1',
  ],
  'a dialog that a form closes': [
    `document.body.insertAdjacentHTML('beforeend', '<dialog id=d><form method=dialog><button value=yes>x</button></form></dialog>')
     d.showModal(); return new Promise((done) => { d.onclose = () => done(d.returnValue); d.querySelector('button').click() })`,
    'yes',
  ],
  'a worker of a classic file': [`return ask(new Worker('classic.js'), 'hi')`, ['hi', 'lib', true, true]],
  'a worker of a module': [
    `return ask(new Worker(new URL('module.mjs', location.href), { type: 'module', name: 'adder' }), 40)`,
    ['part', 42, 'adder'],
  ],
  'import of JSON in a worker': [`return ask(new Worker('json.mjs', { type: 'module' }))`, true],
  'a port that is given to a worker before it has loaded': [
    `const { port1, port2 } = new MessageChannel(); const worker = new Worker('module.mjs', { type: 'module' })
     worker.postMessage(1, [port2]); return new Promise((done) => { port1.onmessage = ({ data }) => done(data) })`,
    ['part', 3, ''],
  ],
  'a worker of a worker': [
    `return ask(new Worker('nested.mjs', { type: 'module' }), 1)`,
    ['part', 3, 'inner'],
  ],
  'a worker of a blob that takes scripts': [
    `const text = 'importScripts("' + new URL('lib.js', location) + '"); onmessage = () => postMessage(lib)'
     const url = URL.createObjectURL(new Blob([text])); const worker = new Worker(url); URL.revokeObjectURL(url); return ask(worker)`,
    'lib',
  ],
  'a worker of a data: URL': [
    `return ask(new Worker('data:text/javascript;base64,' + btoa('onmessage = () => postMessage(1 + 1)')))`,
    2,
  ],
  'a worker of a class of its own': [
    `class Mine extends Worker { constructor() { super('classic.js') } hello() { return ask(this, 'me') } }
     const mine = new Mine(); return [mine instanceof Worker, mine.constructor === Mine, (await mine.hello())[0]]`,
    [true, true, 'me'],
  ],
  'the error of a worker that does not load': [
    `return (await ask(new Worker('broken.mjs', { type: 'module' }))).startsWith('error: ')`,
    true,
  ],
  'no eval, not in a worker either': [
    `const inside = await ask(new Worker('data:,onmessage = () => { try { postMessage(eval("1")) } catch (e) { postMessage(e.name) } }'))
     try { return [inside, (0, eval)('1')] } catch (error) { return [inside, error.name] }`,
    ['EvalError', 'EvalError'],
  ],
  'a sentence for SharedWorker and for service workers': [
    `let shared; try { new SharedWorker('classic.js') } catch (error) { shared = error.message }
     navigator.serviceWorker.addEventListener('controllerchange', () => {})
     return [shared, await navigator.serviceWorker.register('classic.js').catch((error) => error.message)]`,
    [
      'an app in a window cannot use SharedWorker, which windows would share: use Worker, and svc.storage for what windows have in common',
      'an app in a window cannot use a service worker, which windows would share: the host keeps its files and tells it of changes',
    ],
  ],
}

/** Tries each row, and shows what came of it by its name. No build touches the script. */
export const platformApp: SmallApp = {
  files: {
    ...files,
    'try.js': `(async () => {
      ${show} ${ask}
      const rows = { ${Object.entries(platformRows)
        .map(([name, [body]]) => `${JSON.stringify(name)}: async () => { ${body} }`)
        .join(',\n')} }
      const tried = {}
      for (const [name, run] of Object.entries(rows))
        tried[name] = await Promise.race([run().catch(String), new Promise((done) => setTimeout(done, 5_000, 'nothing'))])
      show(tried)
    })()`,
  },
  // A window whose document never speaks is taken away.
  script: `import { svc } from '@svc/sdk'; svc.ready; const tag = document.createElement('script'); tag.type = 'module'; tag.src = 'try.js'; addEventListener('DOMContentLoaded', () => document.body.append(tag))`,
}
