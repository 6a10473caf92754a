import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { base64, codeOf, NOW, openFiles } from '../../testing/files-host.ts'

describe('a file', () => {
  verifies(
    ['files.offered', 'files.write', 'files.read', 'files.stat'],
    'is read as it was written',
    async () => {
      const { call } = await openFiles()
      const written = await call('write', { path: 'notes/a.md', text: 'ü\u0000', mime: 'text/markdown' })
      expect(written).toEqual({ etag: expect.stringMatching(/^"1-/), generation: 1, size_bytes: 3 })
      const entry = {
        path: 'notes/a.md',
        mime: 'text/markdown',
        updated_at: new Date(NOW).toISOString(),
        ...written,
      }
      expect(await call('stat', { path: 'notes/a.md' })).toEqual(entry)
      expect(await call('read', { path: 'notes/a.md' })).toEqual({ ...entry, text: 'ü\u0000' })
      expect(await call('read', { path: 'notes/a.md', as: 'bytes_b64' })).toEqual({
        ...entry,
        bytes_b64: base64('ü\u0000'),
      })
    },
  )

  verifies.each(['files.write', 'files.read'])([
    [{ text: '' }, 'text/plain', { text: '' }],
    [{ bytes_b64: '' }, 'application/octet-stream', { bytes_b64: '' }],
    [{ bytes_b64: '/wA=' }, 'application/octet-stream', { bytes_b64: '/wA=' }],
    [{ bytes_b64: base64('plain'), mime: 'text/plain' }, 'text/plain', { bytes_b64: base64('plain') }],
    [{ text: '{}', mime: 'application/x.own+json' }, 'application/x.own+json', { text: '{}' }],
  ])('of %j is %s and reads %j', async (content, mime, expected) => {
    const { call } = await openFiles()
    await call('write', { path: 'f', ...content })
    expect(await call('read', { path: 'f' })).toMatchObject({ mime, ...expected })
  })

  verifies('files.read', 'of other bytes than UTF-8 is not text', async () => {
    const { call } = await openFiles()
    await call('write', { path: 'f', bytes_b64: '/wA=' })
    expect(await call('read', { path: 'f', as: 'text' })).toBe(
      'invalid_arg: the file "f" is not text in UTF-8',
    )
    await call('write', { path: 'f', bytes_b64: base64('ä') })
    expect(await call('read', { path: 'f', as: 'text' })).toMatchObject({ text: 'ä' })
  })

  verifies.each('files.write')([
    ['neither form', {}, 'must have either text or bytes_b64'],
    ['both forms', { text: '', bytes_b64: '' }, 'must have either text or bytes_b64'],
    ['base64 without its padding', { bytes_b64: 'YQ' }, 'base64'],
    ['base64 of a data URL', { bytes_b64: 'data:,YQ==' }, 'base64'],
    ['half a pair', { text: '\ud800' }, 'surrogate'],
    ['no string', { text: 7 }, 'text must be a string'],
    ['a type with parameters', { text: '', mime: 'text/plain; charset=utf-8' }, 'media type'],
    ['a type in capitals', { text: '', mime: 'Text/Plain' }, 'media type'],
    ['a type with a line feed', { text: '', mime: 'text/plain\nx' }, 'media type'],
    ['a type over its cap', { text: '', mime: `text/${'x'.repeat(123)}` }, '127 characters'],
  ])('is refused with %s', async (_name, args, sentence) => {
    const { call } = await openFiles()
    const answer = await call('write', { path: 'f', ...args })
    expect(answer).toContain('invalid_arg: ')
    expect(answer).toContain(sentence)
    expect(await call('list')).toEqual({ items: [], next_cursor: null })
  })

  verifies(
    'files.write.cap',
    'has as many bytes as a file may, and no more, as text and as bytes',
    async () => {
      const { call } = await openFiles({ limits: { APP_FILE_MAX_BYTES: 100 } })
      const whole = Buffer.alloc(100, 'a')
      expect(await call('write', { path: 'f', bytes_b64: base64(whole) })).toMatchObject({ generation: 1 })
      expect((await call('read', { path: 'f', as: 'text' })).text).toHaveLength(whole.length)
      const over = Buffer.alloc(whole.length + 1, 'a')
      const sentence = `must hold at most ${whole.length} bytes, got ${over.length}`
      expect(await call('write', { path: 'f', bytes_b64: base64(over) })).toBe(
        `invalid_arg: bytes_b64 ${sentence}`,
      )
      expect(await call('write', { path: 'f', text: String(over) })).toBe(`invalid_arg: text ${sentence}`)
      expect(await call('stat', { path: 'f' })).toMatchObject({ generation: 1 })
    },
  )

  verifies(['files.missing', 'files.generation'], 'that is gone is not_found, and counts on', async () => {
    const { call } = await openFiles()
    for (const method of ['read', 'stat', 'delete'])
      expect(await call(method, { path: 'f' })).toBe('not_found: there is no file under the path "f"')
    await call('write', { path: 'f', text: '1' })
    expect(await call('delete', { path: 'f' })).toEqual({ deleted: true })
    for (const method of ['read', 'stat', 'delete'])
      expect(codeOf(await call(method, { path: 'f' }))).toBe('not_found')
    expect(await call('list')).toEqual({ items: [], next_cursor: null })
    expect(await call('write', { path: 'f', text: '1' })).toMatchObject({ generation: 3 })
  })
})

describe('if_match', () => {
  verifies.each('files.if_match')([
    ['absent, file there', true, undefined, 'ok'],
    ['absent, file missing', false, undefined, 'ok'],
    ['the etag', true, 'ETAG', 'ok'],
    ['another etag', true, '"other"', 'precondition_failed'],
    ['an etag, file missing', false, '"other"', 'precondition_failed'],
    ['*, file there', true, '*', 'ok'],
    ['*, file missing', false, '*', 'precondition_failed'],
    ['empty', true, '', 'precondition_failed'],
    ['a number', true, 1, 'invalid_arg'],
    ['null', true, null, 'invalid_arg'],
  ])('%s', async (_name, there, ifMatch, expected) => {
    const { call } = await openFiles()
    const etag = there ? (await call('write', { path: 'f', text: '1' })).etag : ''
    const args = {
      path: 'f',
      ...(ifMatch !== undefined && { if_match: ifMatch === 'ETAG' ? etag : ifMatch }),
    }
    expect(codeOf(await call('write', { ...args, text: '2' }))).toBe(expected)
    if (ifMatch === 'ETAG') expect(codeOf(await call('delete', args))).toBe('precondition_failed')
    else if (ifMatch !== undefined || there) expect(codeOf(await call('delete', args))).toBe(expected)
  })

  verifies('files.if_match', 'of eight writers on one etag lets one win', async () => {
    const { call } = await openFiles()
    const { etag } = await call('write', { path: 'f', text: '0' })
    const codes = await Promise.all(
      Array.from({ length: 8 }, async (_, at) =>
        codeOf(await call('write', { path: 'f', text: `${at + 1}`, if_match: etag })),
      ),
    )
    expect(codes.sort()).toEqual(['ok', ...Array(7).fill('precondition_failed')])
    expect(await call('stat', { path: 'f' })).toMatchObject({ generation: 2 })
  })
})
