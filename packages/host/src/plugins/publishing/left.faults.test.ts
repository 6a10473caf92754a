import { slackMs } from '@svc/conformance/processes'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'
import { openMachineHost } from '../../testing/runner-host.ts'

/** From the moment a client leaves to the moment its place is free. */
const FREE_MS = 1_000
const distribution = { type: 'npm', package_name: 'weather', version: '1.0.0' }
const plug = { name: 'Weather', type: 'tool' }

let at: Awaited<ReturnType<typeof openMachineHost>>
afterEach(() => at.close())

/** A host where ada may have one plugin described at a time, by a machine that never answers. */
async function open() {
  at = await openMachineHost({ limits: { DESCRIBES_PER_USER: 1 } })
  const machine = await at.online()
  const base = `http://127.0.0.1:${at.port}`
  const signedIn = await fetch(`${base}/api/v1/auth/dev-login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: base,
      authorization: `Bearer ${at.host.startToken}`,
    },
    body: JSON.stringify({ user: 'ada' }),
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${base}/plugs/my/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base, cookie },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  return { machine, post }
}

verifies.each('plug.commit.left')([['tools'], ['commit']])(
  'who leaves while the plugin is described frees its place within a second: %s',
  async (route) => {
    const { machine, post } = await open()
    const { draft_id } = (await (await post('drafts', plug)).json()) as { draft_id: string }
    const path = route === 'tools' ? 'tools' : `drafts/${draft_id}/commit`
    const body = { ...plug, distribution }
    const leaving = new AbortController()
    const left = post(path, body, leaving.signal).catch(() => 'left')
    await machine.hear('install')
    const refused = await post('tools', body)
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'rate_limited' } }])

    const leftAt = performance.now()
    leaving.abort()
    expect(await left).toBe('left')
    const next = new AbortController()
    const isAsked = machine.hear('install').then(() => true)
    /** Asks until there is a place; one that has it waits for the machine. */
    const again = async (): Promise<void> => {
      const answer = await post(path, body, next.signal).catch(() => undefined)
      if (answer?.status === 429) return again()
    }
    const asking = again()
    expect(await isAsked).toBe(true)
    const tookMs = performance.now() - leftAt
    expect(tookMs).toBeLessThan(FREE_MS + (await slackMs()))
    next.abort()
    await asking
    expect((await at.host.publishing.own('ada')).plugs).toEqual([])
  },
)
