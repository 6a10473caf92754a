import type { SmallApp } from './app-folder.ts'

const script = `import { svc } from '@svc/sdk'
  globalThis.svc = svc
  globalThis.said = []
  for (const level of ['error', 'log']) { const native = console[level]; console[level] = (...all) => { said.push(all.join(' ')); native.call(console, ...all) } }
  document.addEventListener('DOMContentLoaded', () => svc.ready.then(() => show('ready')))`

/** An app that asks for all that there is of its user's browser, and one that asks for nothing; both have `svc` and `said`. */
export const wishesApps = {
  asks: {
    script,
    browser: ['clipboard-write', 'download', 'fullscreen', 'print'],
    host_api: { upload: ['*'] },
    files: { 'own.txt': 'an own file' },
  },
  silent: { script, files: { 'own.txt': 'an own file' } },
} satisfies Readonly<Record<string, SmallApp>>

/** A click on a link outside of the document, with what is done to it before. */
export const link = (href: string, more = '') =>
  `const a = document.createElement('a'); a.href = ${href}; ${more} a.click()`
/** The address of what an app made. */
export const made = `URL.createObjectURL(new Blob(['a file'], { type: 'text/html' }))`

/** Ways to save a file: what it is, the body of an async function in the document, its name and what it holds. */
export const savings: readonly (readonly [what: string, way: string, name: string, text: string])[] = [
  ['a text', `await svc.window.download({ name: 'a.csv', data: 'ä,b' })`, 'a.csv', 'ä,b'],
  ['bytes', `await svc.window.download({ name: 'a.bin', data: new Uint8Array([65, 66]) })`, 'a.bin', 'AB'],
  ['a blob', `await svc.window.download({ name: '../a.html', data: new Blob(['<b>']) })`, '_a.html', '<b>'],
  [
    'an upload',
    `const { file_ref } = await svc.upload.inline({ bytes_b64: btoa('kept'), mime: 'text/plain', purpose: 'test' })
     await svc.window.download({ name: 'kept.txt', file_ref })`,
    'kept.txt',
    'kept',
  ],
  [
    'a link to what it made',
    link(made, `a.download = 'made.html'; document.body.append(a);`),
    'made.html',
    'a file',
  ],
  ['a link outside of the document', link(made, `a.download = 'loose.html';`), 'loose.html', 'a file'],
  [
    'an event for a link outside of the document',
    `const a = document.createElement('a'); a.href = ${made}; a.download = 'sent.html'; a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
    'sent.html',
    'a file',
  ],
  [
    'a link whose address is taken back',
    `${link(made, `a.download = 'back.html';`)}; URL.revokeObjectURL(a.href)`,
    'back.html',
    'a file',
  ],
  ['a link to data:', link(`'data:,x%20y'`, `a.download = 'data.txt';`), 'data.txt', 'x y'],
  ['a link to a file of its own', link(`'own.txt'`, `a.download = '';`), 'own.txt', 'an own file'],
]

/** The body of a function in the document that puts a button there; `globalThis.result` is what its press gives. */
export const onPress = (body: string) => `document.body.innerHTML = '<button>x</button>'
  globalThis.result = new Promise((done) => document.querySelector('button').onclick = () => {
    (async () => { ${body} })().then(done, ({ name, message }) => done(name + ': ' + message)) })`
