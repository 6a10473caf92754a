import type { SmallApp } from './app-folder.ts'
import { font } from './font.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

/** What an app loads of its own, in a page that embeds only what allows it. */
export const isolatedShows = { image: 1, upload: 1, font: 30, module: 'part', worker: 'part' }

/** Shows that, and in a browser whether it is cross-origin isolated: a thread counts in memory that both share. */
export const isolatedApp: SmallApp = {
  host_api: { storage: ['*'], upload: ['*'] },
  files: {
    'pixel.png': PIXEL,
    'own.woff2': font,
    'part.mjs': `export const part = 'part'`,
    'worker.mjs': `import { part } from './part.mjs'; onmessage = () => postMessage(part)`,
  },
  script: `import { svc } from '@svc/sdk'
    const load = async (src) => { const image = new Image(); image.src = src; await image.decode(); return image.naturalWidth }
    const uploaded = async () => {
      const bytes = new Uint8Array(await (await fetch('pixel.png')).arrayBuffer())
      const { upload_url, file_ref } = await svc.upload.negotiate({ mime: 'image/png', purpose: 'test', size_bytes: bytes.length })
      await fetch(upload_url, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } })
      return load((await svc.upload.confirm({ file_ref })).url)
    }
    const written = async () => {
      const face = new FontFace('own', 'url(own.woff2)')
      document.fonts.add(await face.load())
      const line = document.createElement('canvas').getContext('2d')
      line.font = '10px own'
      return line.measureText('a').width
    }
    const asked = () => new Promise((done, fail) => {
      const worker = new Worker(new URL('./worker.mjs', location.href), { type: 'module' })
      worker.onmessage = ({ data }) => done(data)
      worker.onerror = ({ message }) => fail('none')
      worker.postMessage(1)
    })
    globalThis.threads = () => new Promise((done) => {
      if (typeof SharedArrayBuffer === 'undefined') return done(null)
      const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage(Atomics.add(data, 0, 1))'])))
      const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
      const count = new Int32Array(buffer)
      worker.onmessage = () => done(count[0])
      worker.postMessage(count)
    })
    svc.ready.then(async () => show({
      image: await load('pixel.png'), upload: await uploaded(), font: await written(),
      module: (await import(new URL('./part.mjs', location.href).href)).part, worker: await asked().catch(String),
    })).catch((error) => show(String(error)))`,
}

/** Headers of a page that embeds only what allows it, and is cross-origin isolated by them. */
export const isolating = (policy: string) => ({
  'cross-origin-embedder-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
})
