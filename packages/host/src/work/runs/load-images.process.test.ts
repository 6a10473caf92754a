import { readFileSync } from 'node:fs'
import { type FetchBedOptions, fetchBeds, type Serve } from '@svc/conformance/testing/fetch'
import { verifies } from '@svc/conformance/verifies'
import { type Attachment, type ImageType, imageTypes, limits } from '@svc/contract'
import { expect, it, vi } from 'vitest'
import { openThreads } from '../../kernel/threads/threads.ts'
import { pictures } from '../../testing/files.ts'
import { sized } from '../../testing/images.ts'
import { refusal } from '../../testing/services.ts'
import { judgeAttachments, loadImages } from './attachments.ts'

/** A request on loopback arrives at once; a busy machine may be late. */
const ARRIVES_MS = 5_000

const corpus: { response_reject: string[] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)
const openBed = fetchBeds()
async function open(serve: Serve, options?: FetchBedOptions) {
  const bed = await openBed(serve, options)
  const parts = { limits, publicFetch: bed.fetch, threads: openThreads(), userId: 'ada' }
  const load = async (attachments: readonly Attachment[], signal = new AbortController().signal) =>
    loadImages(parts, await judgeAttachments(parts, attachments), signal)
  return { ...bed, load }
}

/** Serves the picture that the path names, such as `/image/png`. */
const serve: Serve = (req, res) => res.end(pictures[req.url?.slice(1) as ImageType])
const at = (type: ImageType, of: ImageType = type): Attachment => ({
  type,
  url: `https://cdn.site.org/${of}`,
})

verifies('attachment.url', 'images by URL and as data come as bytes, in their order', async () => {
  const bed = await open(serve)
  const data: Attachment = {
    type: 'image/gif',
    data: pictures['image/gif'].toString('base64'),
    filename: 'a.gif',
  }
  const images = await bed.load([at('image/png'), data, { ...at('image/webp'), detail: 'high' }])
  expect(images).toEqual([
    { mediaType: 'image/png', filename: null, detail: null, bytes: pictures['image/png'] },
    { mediaType: 'image/gif', filename: 'a.gif', detail: null, bytes: pictures['image/gif'] },
    { mediaType: 'image/webp', filename: null, detail: 'high', bytes: pictures['image/webp'] },
  ])
  expect(await bed.load([])).toEqual([])
})

verifies(
  'wall.urls',
  'every type is fetched, and its bytes must be of it whatever their server says',
  async () => {
    for (const said of ['image/png', 'text/html', '']) {
      const bed = await open((req, res) => {
        if (said) res.setHeader('content-type', said)
        serve(req, res)
      })
      for (const type of imageTypes)
        for (const of of imageTypes) {
          const told = await bed.load([at(type, of)]).then(
            () => null,
            (error: Error) => error.message,
          )
          const wrong = `attachments.0.url must hold an image of the type ${type}, but its bytes are not of that type`
          expect([type, of, told]).toEqual([type, of, type === of ? null : wrong])
        }
    }
    expect(corpus.response_reject).toContain('Content-Type: image/png body HTML/SVG')
  },
)

it.each<[string, Buffer, RegExp]>([
  ['HTML', Buffer.from('<!DOCTYPE html><script>'), /image of the type image\/png/],
  ['an empty body', Buffer.alloc(0), /image of the type image\/png/],
  ['a pixel bomb', sized.png(60_000, 60_000), /at most 8192 x 8192 pixels, got 60000 x 60000/],
])('%s instead of a PNG is refused', async (_name, bytes, sentence) => {
  const bed = await open((_req, res) => res.setHeader('content-type', 'image/png').end(bytes))
  expect(await refusal(bed.load([at('image/png')]))).toMatch(sentence)
})

verifies(
  ['run.attachments.private', 'wall.urls'],
  'a name that leads inside is refused by its attachment',
  async () => {
    const bed = await open(serve, {
      resolve: async (name) => (name === 'localtest.me' ? ['127.0.0.1'] : ['8.8.8.8']),
    })
    const inside: Attachment = { type: 'image/png', url: 'https://localtest.me/a.png' }
    expect(await refusal(bed.load([at('image/png'), inside]))).toBe(
      'invalid_arg: attachments.1.url must name a public host: localtest.me has an address that is not public',
    )
  },
)

verifies('run.attachments.size', 'a fetched image has at most 20 MiB', async () => {
  const body = (size: number) =>
    Buffer.concat([pictures['image/png'], Buffer.alloc(size - pictures['image/png'].length)])
  const bed = await open((req, res) => res.end(body(req.url === '/over' ? 20_971_521 : 20_971_520)))
  const [image] = await bed.load([{ type: 'image/png', url: 'https://cdn.site.org/' }])
  expect(image?.bytes.length).toBe(20_971_520)
  expect(await refusal(bed.load([{ type: 'image/png', url: 'https://cdn.site.org/over' }]))).toContain(
    'attachments.0.url cannot be fetched: it has more than 20971520 bytes',
  )
})

it('all together have 15 s, and one that fails ends the others', async () => {
  const bed = await open((req, res) => (req.url === '/gone' ? res.writeHead(404).end() : undefined))
  const hangs: Attachment = { type: 'image/png', url: 'https://cdn.site.org/hangs' }
  const late = refusal(bed.load(Array(6).fill(hangs)))
  await vi.waitUntil(() => bed.requests.length === 6, ARRIVES_MS)
  await bed.clock.advance(15_000)
  expect(await late).toMatch(
    /^invalid_arg: attachments\.\d\.url cannot be fetched: it took more than 15000 ms$/,
  )

  const gone = { ...hangs, url: 'https://cdn.site.org/gone' }
  expect(await refusal(bed.load([hangs, gone, hangs]))).toContain('attachments.1.url cannot be fetched')
  await vi.waitUntil(() => bed.clock.timers === 0, ARRIVES_MS)
})

it('a run that is cancelled ends the fetches with its reason', async () => {
  const bed = await open(() => undefined)
  const cancel = new AbortController()
  const loading = bed.load([at('image/png'), at('image/gif')], cancel.signal)
  await vi.waitUntil(() => bed.requests.length === 2, ARRIVES_MS)
  cancel.abort(new Error('cancelled'))
  await expect(loading).rejects.toThrow('cancelled')
  await vi.waitUntil(() => bed.clock.timers === 0, ARRIVES_MS)
  await expect(bed.load([], cancel.signal)).rejects.toThrow('cancelled')
})
