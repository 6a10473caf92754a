import type { BrowserFeatureId } from '@svc/contract/browser-features'
import type { SmallApp } from './app-folder.ts'
import { show } from './bridge-page.ts'
import { wav } from './wav.ts'

/** What is tried of each feature: the body of an async function in a document, which returns whether it works. */
export const featureProbes: Readonly<Record<BrowserFeatureId, string>> = {
  localStorage: `localStorage.setItem('a', '1'); return localStorage.getItem('a') === '1'`,
  sessionStorage: `sessionStorage.a = '1'; return sessionStorage.getItem('a') === '1'`,
  cookies: `document.cookie = 'a=1'; return document.cookie === 'a=1'`,
  indexedDB: `return await new Promise((done) => { const open = indexedDB.open('a'); open.onsuccess = () => done(true); open.onerror = () => done(false) })`,
  caches: `await (await caches.open('a')).put('data.json', new Response('1')); return true`,
  opfs: `await navigator.storage.getDirectory(); return true`,
  locks: `return await navigator.locks.request('a', async () => true)`,
  channel: `const channel = new BroadcastChannel('a')
    const heard = new Promise((done) => { channel.onmessage = () => done(true) })
    new Worker(URL.createObjectURL(new Blob(['new BroadcastChannel("a").postMessage(1)']))); return await heard`,
  worker: `return await Promise.all([ask('echo.js'), ask('module.js', { type: 'module' }), ask('nested.js')]).then((all) => all.every((one) => one === 1))`,
  blobWorker: `const text = 'onmessage = ({ data }) => postMessage(data)'
    return await ask(URL.createObjectURL(new Blob([text]))) === 1 && await ask('data:text/javascript,' + encodeURIComponent(text)) === 1`,
  sharedWorker: `return await new Promise((done) => { const worker = new SharedWorker('echo.js'); worker.onerror = () => done(false); worker.port.onmessage = () => done(true); worker.port.postMessage(1) })`,
  serviceWorker: `await navigator.serviceWorker.register('echo.js'); return true`,
  wasm: `const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11)
    await WebAssembly.compile(simd); return true`,
  threads: `return new SharedArrayBuffer(1).byteLength === 1 && crossOriginIsolated`,
  eval: `return (0, eval)('1') === 1 && new Function('return 1')() === 1`,
  audioWorklet: `await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('worklet.js'); return true`,
  blobWorklet: `await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))); return true`,
  paintWorklet: `await CSS.paintWorklet.addModule('paint.js'); return true`,
  modules: `return (await import('./part.js')).part === 1 && (await import('./data.json', { with: { type: 'json' } })).default.own`,
  importMaps: `const map = document.createElement('script'); map.type = 'importmap'; map.textContent = JSON.stringify({ imports: { own: new URL('./part.js', location) } })
    document.head.append(map); return (await import('own')).part === 1`,
  inlineScripts: `const script = document.createElement('script'); script.textContent = 'globalThis.inlined = true'; document.head.append(script)
    document.body.insertAdjacentHTML('beforeend', '<b id="pressed" onclick="globalThis.pressed2 = true"></b>'); document.querySelector('#pressed').click()
    return Boolean(globalThis.inlined || globalThis.pressed2)`,
  ownFiles: `const get = () => new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', 'data.json'); x.onloadend = () => done(x.status === 200); x.send() })
    return (await (await fetch('data.json', { mode: 'same-origin' })).json()).own && (await (await fetch(new Request('data.json', { mode: 'same-origin' }))).json()).own && await get()`,
  otherOrigins: `return (await fetch(OTHER, { mode: 'no-cors' })).type === 'opaque'`,
  sockets: `const opened = (at) => new Promise((done) => { at.onopen = () => done(true); at.onerror = () => done(false) })
    return await opened(new WebSocket(OTHER.replace('http', 'ws'))) || await opened(new EventSource(OTHER))`,
  webrtc: `new RTCPeerConnection(); return true`,
  frames: `const frame = document.createElement('iframe'); frame.src = OTHER; document.body.append(frame); return true`,
  forms: `document.body.insertAdjacentHTML('beforeend', '<form id="asks"><input name="a" value="1" required><button>x</button></form>')
    return await new Promise((done) => { asks.onsubmit = (event) => { event.preventDefault(); done(new FormData(asks).get('a') === '1') }; asks.querySelector('button').click() })`,
  posts: `document.body.insertAdjacentHTML('beforeend', '<form id="posts" method="post" action="' + OTHER + '"><button>x</button></form>')
    return await new Promise((done) => { addEventListener('pagehide', () => done(true)); posts.querySelector('button').click(); setTimeout(done, 300, false) })`,
  links: `document.body.insertAdjacentHTML('beforeend', '<a id="leads" href="https://other.test/">x</a>'); document.querySelector('#leads').click(); return await told()`,
  popups: `return Boolean(open('about:blank'))`,
  history: `history.pushState({ a: 1 }, '', '#b'); const isThere = location.hash === '#b' && history.state.a === 1; location.hash = 'c'; return isThere && location.hash === '#c'`,
  paths: `const before = location.href; history.pushState({ a: 1 }, '', './deep/er?q=1#b'); const isThere = location.href.endsWith('/deep/er?q=1#b') && history.state.a === 1
    history.replaceState(null, '', before); return isThere`,
  dialogs: `return confirm('?') || prompt('?') !== null`,
  print: `return await new Promise((done) => { addEventListener('beforeprint', () => done(true)); print(); setTimeout(done, 300, false) })`,
  downloads: `const { port1, port2 } = new MessageChannel(); parent.postMessage({ svc: 'download', name: 'a', data: new Blob(['x']) }, '*', [port2])
    return await new Promise((done) => { port1.onmessage = ({ data }) => done(!data.error) })`,
  ownDialog: `const box = document.createElement('dialog'); document.body.append(box); box.showModal(); const isOpen = box.open; box.close()
    customElements.define('own-part', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<i>x</i>' } })
    return isOpen && document.createElement('own-part').shadowRoot.textContent === 'x' && 'popover' in box`,
  views: `document.body.animate([{ opacity: 0 }, { opacity: 1 }], 1); if (document.startViewTransition) await document.startViewTransition(() => {}).updateCallbackDone; return true`,
  fonts: `const sheet = document.createElement('link'); sheet.rel = 'stylesheet'; sheet.href = 'look.css'; document.head.append(sheet)
    await new Promise((done, fail) => { sheet.onload = done; sheet.onerror = () => fail(new Error('no sheet')) })
    return getComputedStyle(document.body).getPropertyValue('--imported').trim() === 'yes'`,
  otherFonts: `const tag = document.createElement('script'); tag.src = OTHER; document.head.append(tag); return await new Promise((done) => { tag.onload = () => done(true); tag.onerror = () => done(false) })`,
  media: `const image = new Image(); image.src = 'dot.svg'; await image.decode(); const audio = new Audio('tone.wav')
    return await new Promise((done) => { audio.oncanplay = () => done(true); audio.onerror = () => done(false); audio.load() })`,
  otherImages: `const image = new Image(); image.src = OTHER; return await new Promise((done) => { image.onload = () => done(true); image.onerror = () => done(false) })`,
  canvas: `document.createElement('canvas').getContext('2d').fillRect(0, 0, 1, 1); return Boolean(new OffscreenCanvas(1, 1).getContext('2d'))`,
  webgl: `return Boolean(document.createElement('canvas').getContext('webgl'))`,
  crypto: `return (await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength === 32 && crypto.randomUUID().length === 36`,
  gamepads: `return [...navigator.getGamepads()].every((one) => one === null)`,
  audio: `return (await new OfflineAudioContext(1, 8000, 8000).startRendering()).length === 8000`,
  drag: `const data = new DataTransfer(); data.items.add(new File(['a'], 'a.txt')); let got; document.body.addEventListener('drop', (event) => { got = event.dataTransfer.files[0]?.name })
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); return got === 'a.txt'`,
  fileInput: `const data = new DataTransfer(); data.items.add(new File(['a'], 'a.txt')); const input = document.createElement('input'); input.type = 'file'; input.files = data.files
    return await input.files[0].text() === 'a'`,
  pickers: `await showOpenFilePicker(); return true`,
  clipboard: `await navigator.clipboard.writeText('a'); return true`,
  clipboardRead: `await navigator.clipboard.readText(); return true`,
  fullscreen: `return document.fullscreenEnabled`,
  pointerLock: `return await new Promise((done) => { document.onpointerlockchange = () => done(true); document.onpointerlockerror = () => done(false); document.body.requestPointerLock()?.catch?.(() => done(false)); setTimeout(done, 500, false) })`,
  camera: `await navigator.mediaDevices.getUserMedia({ audio: true }); return true`,
  geolocation: `return await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done(true), () => done(false)))`,
  notifications: `return await Notification.requestPermission() === 'granted'`,
  devices: `return Boolean(await (navigator.usb?.getDevices() ?? navigator.requestMIDIAccess()))`,
  share: `await navigator.share({ text: 'a' }); return true`,
  wakeLock: `await navigator.wakeLock.request(); return true`,
  signIn: `await navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } }); return true`,
}

const files: Readonly<Record<string, string | Uint8Array>> = {
  'data.json': '{"own":true}',
  'part.js': 'export const part = 1',
  'tone.wav': wav(),
  'echo.js': 'onmessage = ({ data }) => postMessage(data)',
  'module.js': `import { part } from './part.js'; onmessage = () => postMessage(part)`,
  'nested.js': `const inner = new Worker('echo.js'); inner.onmessage = ({ data }) => postMessage(data); onmessage = ({ data }) => inner.postMessage(data)`,
  'worklet.js': `registerProcessor('own', class extends AudioWorkletProcessor { process() { return false } })`,
  'paint.js': `registerPaint('own', class { paint() {} })`,
  'look.css': `@import './more.css';`,
  'more.css': `:root { --imported: yes }`,
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
}

/** Tries features, and shows by id `true`, `false`, or the error. `other` is an address of another origin that answers. */
export const featuresApp = (
  other: string,
  ids: readonly string[],
): SmallApp & Required<Pick<SmallApp, 'files'>> => ({
  files: {
    ...files,
    'try.js': `const OTHER = ${JSON.stringify(other)}
      ${show}
      const ask = (url, options) => new Promise((done, fail) => { const worker = new Worker(url, options); worker.onmessage = ({ data }) => done(data); worker.onerror = ({ message }) => fail(new Error(message)); worker.postMessage(1) })
      const told = () => new Promise((done) => setTimeout(done, 50, document.documentElement.isConnected))
      const probes = { ${Object.entries(featureProbes)
        .filter(([id]) => ids.includes(id))
        .map(([id, body]) => `${JSON.stringify(id)}: async () => { ${body} }`)
        .join(',\n')} }
      const late = () => new Promise((done) => setTimeout(done, 4_000, 'nothing came'))
      const one = async ([id, probe]) => [id, await Promise.race([probe().catch((error) => error.name + ': ' + error.message), late()])]
      // In turn: some change what others see.
      const results = []
      for (const entry of Object.entries(probes)) results.push(await one(entry))
      show(Object.fromEntries(results))`,
  },
  script: `const tag = document.createElement('script'); tag.type = 'module'; tag.src = 'try.js'; addEventListener('DOMContentLoaded', () => document.body.append(tag))`,
})
