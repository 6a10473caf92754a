import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { ada, openUploadBed } from '../../testing/files.ts'
import { refusal } from '../../testing/services.ts'
import { deleteFiles } from './drop.ts'
import { keepFile } from './keep.ts'
import { serveFile } from './serve.ts'

const URL_MS = limits.UPLOAD_URL_TTL_MS
const CONFIRM_MS = limits.UPLOAD_CONFIRM_MS
const LAPSED = 'invalid_token: sig does not belong to this upload, or the upload has expired'
const whole = (text: string) => ({
  bytes: Buffer.from(text),
  mime: 'text/plain' as const,
  purpose: 'test',
  filename: null,
})

describe('an upload', () => {
  verifies(
    ['route.uploads', 'upload.confirm', 'route.files'],
    'waits for its bytes, then for its confirm, and only then can be read',
    async () => {
      const { services, start, put, confirm, state } = openUploadBed()
      const upload = await start(5)
      const read = async () => (await serveFile(services, upload.file_ref)).status
      expect([await state(upload.file_ref), await read()]).toEqual(['waiting', 404])
      expect(await put(upload, 'bytes')).toEqual({ size_bytes: 5 })
      expect([await state(upload.file_ref), await read()]).toEqual(['stored', 404])
      expect(await confirm(upload.file_ref)).toMatchObject({ size_bytes: 5, state: 'ready', due_at: null })
      expect([await state(upload.file_ref), await read()]).toEqual(['ready', 200])
    },
  )

  verifies.each('decision.upload.ten_minutes')([
    ['a moment before ten minutes', URL_MS - 1, null],
    ['at ten minutes', URL_MS, LAPSED],
    ['a second later, within the skew of tokens', URL_MS + 1_000, LAPSED],
    ['an hour later', 6 * URL_MS, LAPSED],
  ])('%s a PUT is judged in time, sweep or not', async (_when, ms, expected) => {
    const { clock, start, put } = openUploadBed()
    const upload = await start(5)
    await clock.advance(ms)
    if (expected === null) expect(await put(upload, 'bytes')).toEqual({ size_bytes: 5 })
    else expect(await refusal(put(upload, 'bytes'))).toBe(expected)
  })

  it.each([
    ['no signature', () => ''],
    ['rubbish', () => 'a.b.c'],
    ['the signature of another upload', (_: string, other: string) => other],
    [
      'a changed signature',
      (own: string) => `${own.slice(0, -2)}${own.at(-2) === 'A' ? 'E' : 'A'}${own.at(-1)}`,
    ],
  ])('%s opens nothing', async (_name, forge) => {
    const { services, start, put, state } = openUploadBed()
    const [upload, other] = [await start(5), await start(5)]
    const sig = forge(upload.sig, other.sig)
    expect(await refusal(put({ ...upload, sig }, 'bytes'))).toBe(LAPSED)
    const signIn = await services.tokens.mint('signIn', { user_id: 'ada' }, 60_000)
    expect(await refusal(put({ ...upload, sig: signIn }, 'bytes'))).toBe(LAPSED)
    expect(await state(upload.file_ref)).toBe('waiting')
  })

  verifies('decision.upload.refused_stays_open', 'what is wrong is refused and leaves it open', async () => {
    const { receive, start, put, state, left } = openUploadBed()
    const upload = await start(5)
    expect(await refusal(put(upload, 'byte'))).toBe(
      'invalid_arg: the body must have the 5 bytes that were negotiated, got 4',
    )
    const latin = { sig: upload.sig, checkType: () => {}, read: async () => Buffer.from('bätes', 'latin1') }
    expect(await refusal(receive(upload.file_ref, latin))).toBe('invalid_arg: the bytes are not text/plain')
    expect([await state(upload.file_ref), await left()]).toEqual(['waiting', { files: 1, uses: 0 }])
    expect(await put(upload, 'bytes')).toEqual({ size_bytes: 5 })
    expect(await refusal(put(upload, 'bytes'))).toBe(
      'conflict: the upload has its bytes already; it accepts one PUT',
    )
  })

  it('whose body breaks off can be tried again', async () => {
    const { receive, start, put } = openUploadBed()
    const upload = await start(5)
    const broken = receive(upload.file_ref, {
      sig: upload.sig,
      checkType: () => {},
      read: () => Promise.reject(new Error('the connection broke')),
    })
    await expect(broken).rejects.toThrow('the connection broke')
    expect(await put(upload, 'bytes')).toEqual({ size_bytes: 5 })
  })

  it('whose bytes could not be kept takes the same bytes again, and no others', async () => {
    const bed = openUploadBed()
    const { services } = bed
    const put = services.blobs.put
    services.blobs.put = () => Promise.reject(new Error('the disk is full'))
    const upload = await bed.start(5)
    await expect(bed.put(upload, 'bytes')).rejects.toThrow('the disk is full')
    services.blobs.put = put
    expect(await bed.state(upload.file_ref)).toBe('arriving')
    expect(await refusal(bed.put(upload, 'other'))).toBe(
      'conflict: the upload has already started to receive other bytes; it accepts one PUT',
    )
    expect(await bed.put(upload, 'bytes')).toEqual({ size_bytes: 5 })
  })

  verifies('decision.upload.one_put', 'takes one of two bodies at a time', async () => {
    const { start, put, confirm, has } = openUploadBed()
    const upload = await start(5)
    const done = await Promise.allSettled([put(upload, 'first'), put(upload, 'other')])
    const taken = done.map(({ status }) => status === 'fulfilled')
    expect(taken.filter(Boolean)).toHaveLength(1)
    await confirm(upload.file_ref)
    expect([await has('first'), await has('other')]).toEqual(taken)
  })
})

describe('a confirm', () => {
  verifies('upload.confirm', 'comes after the bytes, and a second one answers the same', async () => {
    const { start, put, confirm } = openUploadBed()
    const upload = await start(5)
    expect(await refusal(confirm(upload.file_ref))).toBe(
      `invalid_arg: the bytes of the file "${upload.file_ref}" have not been received yet`,
    )
    await put(upload, 'bytes')
    const [first, second] = await Promise.all([confirm(upload.file_ref), confirm(upload.file_ref)])
    expect(first).toEqual(second)
    expect(await confirm(upload.file_ref)).toEqual(first)
  })

  verifies(
    ['wall.own_keys', 'decision.upload.owner'],
    "of another user's or app's file reads as none",
    async () => {
      const { start, put, confirm } = openUploadBed()
      const upload = await start(5)
      await put(upload, 'bytes')
      const none = 'not_found: there is no file'
      for (const stranger of [
        { ...ada, userId: 'bob' },
        { ...ada, appId: 'app_other' },
      ])
        expect(await refusal(confirm(upload.file_ref, stranger))).toBe(
          `${none} "${upload.file_ref}" of this app`,
        )
      for (const unknown of ['file_unknown', '', '__proto__', '../x'])
        expect(await refusal(confirm(unknown))).toBe(`${none} ${JSON.stringify(unknown)} of this app`)
      expect(await confirm(upload.file_ref)).toMatchObject({ state: 'ready' })
    },
  )

  it.each([
    [CONFIRM_MS - 1, 'ready'],
    [CONFIRM_MS, 'not_found'],
  ])('%i ms after the bytes is %s', async (ms, expected) => {
    const { clock, start, put, confirm } = openUploadBed()
    const upload = await start(5)
    await clock.advance(URL_MS - 1)
    await put(upload, 'bytes')
    await clock.advance(ms)
    const said = confirm(upload.file_ref).then(
      ({ state }) => state,
      ({ code }) => code,
    )
    expect(await said).toBe(expected)
  })
})

describe('the sweep', () => {
  verifies('decision.upload.swept', 'takes what was not confirmed in time, and its bytes', async () => {
    const { clock, start, put, confirm, sweep, has, left } = openUploadBed()
    const [kept, stored, waiting] = [await start(4), await start(6), await start(5)]
    await put(kept, 'kept')
    await confirm(kept.file_ref)
    await put(stored, 'stored')
    await clock.advance(CONFIRM_MS - 1)
    await sweep()
    expect(await left()).toEqual({ files: 3, uses: 2 })
    await clock.advance(1)
    await sweep()
    expect(await left()).toEqual({ files: 1, uses: 1 })
    expect([await has('kept'), await has('stored')]).toEqual([true, false])
    expect(await refusal(confirm(waiting.file_ref))).toContain('not_found')
  })

  it('keeps bytes that another file still needs', async () => {
    const { services, clock, start, put, sweep, has } = openUploadBed()
    const upload = await start(4)
    await put(upload, 'same')
    const { id } = await keepFile(services, ada, whole('same'))
    await clock.advance(CONFIRM_MS)
    await sweep()
    expect((await serveFile(services, id)).status).toBe(200)
    await deleteFiles(services, ada)
    expect((await serveFile(services, id)).status).toBe(404)
    await sweep()
    expect(await has('same')).toBe(false)
  })

  it('that breaks off keeps no other file, and is taken up by the next', async () => {
    const { services, clock, start, put, sweep, has, left } = openUploadBed()
    const upload = await start(5)
    await put(upload, 'bytes')
    await start(5)
    await clock.advance(CONFIRM_MS)
    const remove = services.blobs.remove
    services.blobs.remove = () => Promise.reject(new Error('the disk is away'))
    await expect(sweep()).rejects.toThrow('the disk is away')
    services.blobs.remove = remove
    expect([await has('bytes'), await left()]).toEqual([true, { files: 1, uses: 0 }])
    await sweep()
    expect([await has('bytes'), await left()]).toEqual([false, { files: 0, uses: 0 }])
  })
})

describe('caps', () => {
  verifies(
    'decision.upload.caps',
    'files of an app and of a user are counted, uploads under way too',
    async () => {
      const { services, start } = openUploadBed({ limits: { FILES_PER_APP: 2, FILES_PER_USER: 3 } })
      await start(1)
      await keepFile(services, ada, whole('x'))
      expect(await refusal(start(1))).toBe(
        'quota_exceeded: an app may keep at most 2 files, including unconfirmed uploads',
      )
      await start(1, { ...ada, appId: 'app_other' })
      expect(await refusal(start(1, { ...ada, appId: 'app_third' }))).toBe(
        'quota_exceeded: the apps of a user may keep at most 3 files, including unconfirmed uploads',
      )
      await start(1, { ...ada, userId: 'bob' })
    },
  )

  verifies('decision.upload.caps', 'so are their bytes; exactly the cap passes', async () => {
    const limits = { FILES_BYTES_PER_APP: 10, FILES_BYTES_PER_USER: 15 }
    const { clock, services, start, sweep, left } = openUploadBed({ limits })
    await start(6)
    expect(await refusal(start(5))).toBe(
      'quota_exceeded: an app may keep at most 10 bytes of files, including unconfirmed uploads',
    )
    await start(4)
    expect(await refusal(keepFile(services, { ...ada, appId: 'app_other' }, whole('123456')))).toBe(
      'quota_exceeded: the apps of a user may keep at most 15 bytes of files, including unconfirmed uploads',
    )
    expect(await left()).toEqual({ files: 2, uses: 0 })
    await clock.advance(URL_MS)
    await sweep()
    await start(10)
  })

  it('of 20 at once no more get through than may', async () => {
    const { start, left } = openUploadBed({ limits: { FILES_PER_APP: 5, FILES_BYTES_PER_APP: 4 } })
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => start(1)))
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(4)
    expect((await left()).files).toBeLessThanOrEqual(4)
  })
})

verifies('kept.gone', 'a file counts until its bytes are gone, and those of an app go with it', async () => {
  const bed = openUploadBed({ limits: { FILES_PER_APP: 1 } })
  const { services } = bed
  const { id } = await keepFile(services, ada, whole('bytes'))
  const { remove } = services.blobs
  services.blobs.remove = () => Promise.reject(new Error('the disk is away'))
  await expect(deleteFiles(services, ada)).rejects.toThrow('away')
  expect((await serveFile(services, id)).status).toBe(404)
  expect(await refusal(keepFile(services, ada, whole('more')))).toMatch(/^quota_exceeded/)
  services.blobs.remove = remove
  await deleteFiles(services, ada)
  await bed.sweep()
  expect(await bed.has('bytes')).toBe(false)
  await keepFile(services, ada, whole('more'))
  await deleteFiles(services, ada)
  expect(await bed.has('more')).toBe(false)
})
