import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { imageTypes, limits } from '@svc/contract'
import { expect, it } from 'vitest'
import { fault, given, PNG_HEAD, parts, png, read } from '../../testing/attachments.ts'
import { pictures } from '../../testing/files.ts'
import { judgeAttachments } from './attachments.ts'

const urls: { reject: string[]; accept_syntactically: string[] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)

verifies('run.attachments.count', 'six are taken, seven are not', async () => {
  expect(await read(Array(6).fill(png({})))).toHaveLength(6)
  expect(await read(Array(7).fill(png({})))).toMatch(/^attachments must have at most 6 items/)
  for (const none of [undefined, []]) expect(await read(none)).toEqual([])
})

it.each([[null], [{}], ['x'], [[null]], [['x']]])('attachments %j are refused', async (attachments) => {
  expect(await read(attachments)).toMatch(/^attachments(\.0)? must be/)
})

verifies('attachment.type', 'each of the six types is taken with its bytes and with no other', async () => {
  for (const type of imageTypes)
    for (const other of imageTypes)
      expect([type, other, (await fault(given(type, pictures[other]))) === null]).toEqual([
        type,
        other,
        type === other,
      ])
})

verifies('attachment.optional', 'tells a name and a detail only where they are given', async () => {
  expect(await read([png({}), png({ filename: 'a.png', detail: 'low' })])).toEqual([
    {
      mediaType: 'image/png',
      filename: null,
      detail: null,
      source: { bytes: Buffer.from(PNG_HEAD, 'base64') },
    },
    {
      mediaType: 'image/png',
      filename: 'a.png',
      detail: 'low',
      source: { bytes: Buffer.from(PNG_HEAD, 'base64') },
    },
  ])
})

verifies('run.attachments.size', 'the cap is that of the host', async () => {
  const small = { ...parts, limits: { ...limits, ATTACHMENT_MAX_BYTES: 7 } }
  await expect(judgeAttachments(small, [{ type: 'image/png', data: PNG_HEAD }])).rejects.toThrow(
    'at most 7 bytes, got 8',
  )
})

verifies(
  'attachment.type',
  'an SVG may begin with a mark of its byte order and white space, and with nothing else',
  async () => {
    const text = (head: string) => given('image/svg+xml', Buffer.from(`${head}<svg/>`))
    for (const head of ['', '\ufeff', ' \n\t\r', '\ufeff\n', '<?xml version="1.0"?>'])
      expect(await fault(text(head))).toBeNull()
    for (const head of ['x', '<!-- -->', '\0', '\n\ufeff', '<html>'])
      expect(await fault(text(head))).toBe(
        'attachments.0.data must hold an image of the type image/svg+xml, but its bytes are not of that type',
      )
  },
)

verifies.each(['attachment.url', 'run.attachments.private', 'wall.urls'])(urls.reject.map((url) => [url]))(
  'the URL %j is refused before the run',
  async (url) =>
    expect(await fault({ type: 'image/png', url })).toMatch(/^attachments\.0\.url (must|is not a URL)/),
)

verifies.each('attachment.url')(urls.accept_syntactically.map((url) => [url]))(
  'the URL %j is left to the fetch',
  async (url) =>
    expect(await read([{ type: 'image/png', url }])).toMatchObject([{ source: { url: new URL(url) } }]),
)
