import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

/** An app that may upload: draws a picture, and tells of errors by their name or code. */
const withPicture = (body: string) => ({
  host_api: { upload: ['*'], image: ['*'] },
  script: `import { svc } from '@svc/sdk';
    const canvas = document.createElement('canvas'); canvas.width = 6; canvas.height = 4;
    canvas.getContext('2d').fillRect(0, 0, 6, 4);
    const picture = () => new Promise((done) => canvas.toBlob(done, 'image/png'));
    const shows = (url, change = {}) => new Promise((done) => {
      const image = Object.assign(new Image(), change);
      image.onload = () => done([image.naturalWidth, image.naturalHeight]); image.onerror = () => done('error');
      image.src = url; document.body ? document.body.append(image) : document.documentElement.append(image) });
    const violated = new Promise((done) => addEventListener('securitypolicyviolation', (one) => done(one.effectiveDirective)));
    const negotiate = (blob, change = {}) => svc.upload.negotiate({ mime: blob.type, purpose: 'test', size_bytes: blob.size, ...change });
    ${body}`,
})

describe('a bundle', () => {
  verifies(
    ['wall.uploads.csp', 'wall.uploads.cors', 'upload.negotiate', 'upload.confirm', 'upload.inline'],
    'uploads by fetch and shows by <img>, under its real policy and without a cookie',
    async () => {
      at = await openRealPage(browser, {
        painter: withPicture(`(async () => {
          const blob = await picture();
          const { upload_url, file_ref } = await negotiate(blob);
          const put = await fetch(upload_url, { method: 'PUT', body: blob });
          const { url, ...told } = await svc.upload.confirm({ file_ref });
          const plain = await negotiate(blob);
          const bytes = await fetch(plain.upload_url, { method: 'PUT', body: await blob.arrayBuffer() });
          const bytes_b64 = btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
          const inline = await svc.upload.inline({ bytes_b64, mime: 'image/png', purpose: 'test' });
          show({ put: [put.status, await put.json()], told, size: blob.size, bytes: bytes.status,
            shown: await shows(url), inline: await shows(inline.url), pixels: await shows(url, { crossOrigin: 'anonymous' }),
            origin: self.origin, host: new URL(url).origin === new URL(upload_url).origin && new URL(url).origin });
        })().catch((error) => show({ error: String(error), code: error.code }))`),
      })
      const cookies: (string | undefined)[] = []
      at.page.on('request', async (request) => {
        if (/svc-apps\/(uploads|files)\//.test(request.url()))
          cookies.push((await request.allHeaders()).cookie)
      })
      await at.mount('painter')
      const { size, told, put, ...rest } = (await at.shown()) as Record<string, unknown> & {
        told: { file_ref: string }
      }
      expect(rest).toEqual({
        bytes: 200,
        shown: [6, 4],
        inline: [6, 4],
        pixels: [6, 4],
        origin: 'null',
        host: at.url.replace(/\/$/, ''),
      })
      expect(told).toMatchObject({ mime: 'image/png', size_bytes: size, purpose: 'test', filename: null })
      expect(put).toEqual([200, { file_ref: told.file_ref, size_bytes: size }])
      expect(cookies.length).toBeGreaterThanOrEqual(4)
      expect(new Set(cookies)).toEqual(new Set([undefined]))
    },
  )

  verifies(
    ['wall.uploads.csp', 'image.generate', 'image.edit', 'design.dev_model'],
    'shows what the development model drew and changed',
    async () => {
      at = await openRealPage(browser, {
        drawer: withPicture(`(async () => {
          const { images } = await svc.image.generate({ prompt: 'a cat', n: 2, size: '64x32' });
          const [first] = images;
          const { images: [edited] } = await svc.image.edit({ prompt: 'a dog', image_ref: first.url });
          show(await Promise.all([...images, edited].map(async ({ url, model }) => [model, await shows(url)])));
        })().catch((error) => show({ error: String(error), code: error.code }))`),
      })
      await at.mount('drawer')
      expect(await at.shown()).toEqual([
        ['svc-dev', [64, 32]],
        ['svc-dev', [64, 32]],
        ['svc-dev', [256, 256]],
      ])
    },
  )

  verifies(
    ['wall.uploads.csp', 'wall.uploads.cors', 'decision.files.svg', 'wall.files'],
    'reads why a PUT was refused, fetches no file, and gets no SVG or other document to run',
    async () => {
      at = await openRealPage(browser, {
        prober: withPicture(`(async () => {
          const blob = await picture();
          const { upload_url, file_ref } = await negotiate(blob);
          const put = async (body, url = upload_url) => {
            const answer = await fetch(url, { method: 'PUT', body }); return [answer.status, (await answer.json()).error?.code] };
          const tried = { short: await put(blob.slice(1)), html: await put(new Blob([new Uint8Array(blob.size)], { type: 'text/html' })),
            unsigned: await put(blob, upload_url.replace(/sig=.*/, 'sig=x')) };
          tried.early = await svc.upload.confirm({ file_ref }).catch((error) => error.code);
          tried.taken = await put(blob); tried.again = await put(blob);
          const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg"><script>top.pwned = 1</script></svg>');
          const { url } = await svc.upload.inline({ bytes_b64: svg, mime: 'image/svg+xml', purpose: 'test' });
          tried.fetch = await fetch(url).catch((error) => error.name); tried.violated = await violated;
          show({ tried, url });
        })().catch((error) => show({ error: String(error), code: error.code }))`),
      })
      await at.mount('prober')
      const { tried, url } = (await at.shown()) as { tried: unknown; url: string }
      expect(tried).toEqual({
        short: [400, 'invalid_arg'],
        html: [415, 'invalid_arg'],
        unsigned: [401, 'invalid_token'],
        early: 'invalid_arg',
        taken: [200, null],
        again: [409, 'conflict'],
        fetch: 'TypeError',
        violated: 'connect-src',
      })
      // In a tab of its own it is saved, not shown.
      const tab = await at.context.newPage()
      const saved = tab.waitForEvent('download')
      await tab.goto(url).catch(() => {})
      expect((await saved).url()).toBe(url)
      expect(await at.page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    },
  )
})
