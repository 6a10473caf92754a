import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { behaviours, type FakeProvider, openFakeProvider } from '@svc/conformance/testing/fake-provider'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DataFolder, openData } from './host/data-folder.ts'

const MANY_MS = 120_000
const PATIENT = { timeout: 30_000, interval: 50 }
const WORDS = Array.from({ length: 400 }, (_, at) => `w${at} `)

const mounts: string[] = []

/** A disk of a few megabytes; the reason why there is none otherwise. */
function mountSmall(): { readonly dir: string } | { readonly problem: string } {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-small-disk-'))
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'svc-test', dir])
  if (status === 0) {
    mounts.push(dir)
    return { dir }
  }
  rmdirSync(dir)
  return { problem: error?.message ?? stderr.toString().trim() }
}

function unmountAll(): void {
  for (const dir of mounts.splice(0)) {
    spawnSync('umount', ['-l', dir])
    rmdirSync(dir)
  }
}

const trial = mountSmall()
const problem = 'problem' in trial ? trial.problem : null
unmountAll()

describe('a host whose disk is full', () => {
  let disk = ''
  let provider: FakeProvider
  let data: DataFolder
  let services: TestHost
  let window: TestWindow

  const ballast = () => path.join(disk, 'ballast')
  /** Takes all room of the disk. */
  function fill(): void {
    writeFileSync(ballast(), '')
    const { bsize } = statfsSync(disk)
    while (statfsSync(disk).bavail > 0) appendFileSync(ballast(), Buffer.alloc(bsize))
  }
  const free = () => rmSync(ballast())
  const set = (key: string) => window.call('storage', 'set', { key, value: 'x'.repeat(10_000) })
  async function result<Result>(method: string, args: object): Promise<Result> {
    const answer = await window.call('agent', method, args)
    if (!answer.ok) throw new Error(`${method}: ${answer.error.code}`)
    return answer.result as Result
  }
  const ready = async () => {
    const response = await services.request('/readyz')
    return { status: response.status, ...((await response.json()) as object) }
  }

  // Before the hook that needs the disk.
  beforeEach(({ skip }) => skip(problem !== null, `no small disk can be mounted here: ${problem}`))
  beforeEach(async () => {
    const mounted = mountSmall()
    disk = 'dir' in mounted ? mounted.dir : ''
    provider = await openFakeProvider()
    vi.stubEnv('SVC_LLM_BASE_URL', provider.url)
    vi.stubEnv('SVC_LLM_MODEL', 'fake-1')
    data = await openData(path.join(disk, 'data'))
    services = await openTestHost({
      ...data.ports,
      storage: 'persistent',
      manifest: { host_api: { storage: ['*'], agent: { session: { auto: true } } } },
    })
    window = await services.openWindow()
  }, MANY_MS)
  afterEach(async () => {
    vi.unstubAllEnvs()
    await services.close()
    await data.close()
    await provider.close()
    unmountAll()
  })

  verifies(
    'data.full',
    'refuses what writes in every way, reads on, says why, and recovers by itself',
    async () => {
      expect(await set('before')).toMatchObject({ ok: true })
      provider.behave(behaviours.recites(WORDS, 20))
      const { app_session_uuid } = await result<{ app_session_uuid: string }>('session.create', {
        submode: 'auto',
      })
      const run = await window.call('agent', 'session.run', { app_session_uuid, content: 'Go on.' })
      expect(run).toMatchObject({ ok: true })
      expect((await ready()).status).toBe(200)

      fill()
      const error = { code: 'storage_unavailable', details: { retriable: true, hint: expect.any(String) } }
      await expect.poll(() => set('during'), PATIENT).toMatchObject({ ok: false, error })
      const body = (ns: string, method: string, args: object) => ({
        id: method,
        window_uuid: window.windowUuid,
        ns,
        method,
        args,
      })
      const one = await window.post(
        JSON.stringify(body('storage', 'set', { key: 'k', value: 'x'.repeat(10_000) })),
      )
      expect(one).toMatchObject({ status: 503, body: { ok: false, error } })
      const both = await window.post(
        JSON.stringify([
          body('storage', 'set', { key: 'k', value: 'x'.repeat(10_000) }),
          body('storage', 'get', { key: 'before' }),
        ]),
      )
      const lines = both.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.find(({ id }) => id === 'set')).toMatchObject({ ok: false, error })
      expect(lines.find(({ id }) => id === 'get')).toMatchObject({ ok: true })
      const route = await services.request('/api/v1/svc-apps/windows', {
        method: 'POST',
        cookie: window.cookie,
        body: JSON.stringify({ app_id: services.appId }),
      })
      expect([route.status, await route.json()]).toMatchObject([503, { error }])
      const session = await window.call('agent', 'session.create', { submode: 'auto' })
      expect(session).toMatchObject({ ok: false, error })
      await expect.poll(ready, PATIENT).toEqual({
        status: 503,
        ok: false,
        reasons: ['storage'],
        storage: expect.stringMatching(/^the data folder cannot be written: /),
      })
      // Longer than the silence after which a host is taken for dead.
      const since = performance.now()
      await expect
        .poll(() => performance.now() - since, { timeout: 10_000, interval: 200 })
        .toBeGreaterThan(4_000)
      expect(await window.call('storage', 'get', { key: 'before' })).toMatchObject({ ok: true })

      free()
      await expect.poll(ready, PATIENT).toEqual({ status: 200, ok: true })
      expect(await set('after')).toMatchObject({ ok: true })
      expect(await window.call('storage', 'get', { key: 'during' })).toMatchObject({
        ok: false,
        error: { code: 'not_found' },
      })
      // The run that spoke meanwhile has its whole text.
      const history = async () => {
        const { messages } = await result<{ messages: { content: string }[] }>('session.history', {
          app_session_uuid,
        })
        return messages.at(-1)?.content
      }
      await expect.poll(history, PATIENT).toBe(WORDS.join(''))
    },
    MANY_MS,
  )

  verifies('data.full', 'says so where only bytes of files are written', async () => {
    fill()
    const { blobs, store } = data.ports
    const bytes = Buffer.alloc(100_000, 'x')
    await expect(blobs.put(bytes)).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' })
    expect(store.trouble?.()).toMatch(/^the data folder cannot be written: .* full$/)
    expect((await ready()).status).toBe(503)
    free()
    await expect.poll(ready, PATIENT).toEqual({ status: 200, ok: true })
    await blobs.put(bytes)
  })

  it('closes while it cannot be written', { timeout: MANY_MS }, async () => {
    fill()
    await expect.poll(() => set('during'), PATIENT).toMatchObject({ ok: false })
    await services.close()
    await data.close()
    free()
    data = await openData(path.join(disk, 'data'))
    expect(data.ports.store.trouble?.()).toBeNull()
  })
})
