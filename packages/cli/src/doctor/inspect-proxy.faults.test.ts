import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { freePort } from '@svc/conformance/testing/free-port'
import { atPort } from '@svc/conformance/testing/host'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readHostUrl } from '../host/host-url.ts'
import { startSvc } from '../testing/cli.ts'
import { openFaultyProxy, type ProxyFaults } from '../testing/faulty-proxy.ts'
import { inspectProxy } from './inspect-proxy.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'svc-doctor-'))
let port: number
let svc: ReturnType<typeof startSvc>
let cookie: string
beforeAll(async () => {
  port = await freePort()
  const config = { signIn: 'dev', data: 'memory', isolation: 'none' }
  writeFileSync(path.join(dir, 'svc.config.json'), JSON.stringify(config))
  svc = startSvc(['serve', '--port', String(port)], { cwd: dir })
  await svc.sees('  lacks ')
  const origin = `http://127.0.0.1:${port}`
  const signedIn = await fetch(`${origin}/api/v1/auth/dev-login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${TEST_START_TOKEN}` },
    body: JSON.stringify({ user: 'ada' }),
  })
  cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
})
afterAll(async () => {
  svc.child.kill('SIGTERM')
  await svc.ended
  rmSync(dir, { recursive: true })
})

async function proxied(faults: ProxyFaults) {
  const proxy = await openFaultyProxy(port, faults)
  onTestFinished(() => proxy.close())
  return readHostUrl(`http://127.0.0.1:${proxy.port}`, '--url')
}

describe('between pages and a host', () => {
  it.each<[what: string, faults: ProxyFaults, found: string[]]>([
    ['nothing, of a proxy that is right', {}, []],
    ['a proxy that sends its own name', { ownHost: true }, ['fails proxy.host_header']],
    ['one that drops upgrades', { noUpgrade: true }, ['hinders proxy.upgrade']],
    ['one that collects answers', { buffers: true }, ['fails proxy.buffer']],
    ['one that bounds bodies', { maxBody: 1_048_576 }, ['fails proxy.body']],
  ])('the doctor finds %s', async (_, faults, found) => {
    const at = await proxied(faults)
    // A proxy may pass on its own name in place of that which the browser sent.
    const cookies = `${atPort(cookie, new URL(at.origin))}; ${cookie}`
    const { findings, notTried } = await inspectProxy(at, cookies)
    expect(findings.map(({ severity, id }) => `${severity} ${id}`)).toEqual(found)
    expect(notTried).toEqual([])
  })

  it('what needs a sign-in is not tried without one', async () => {
    const report = await inspectProxy(await proxied({ buffers: true }), null)
    expect(report).toEqual({
      findings: [],
      notTried: [expect.stringMatching(/^whether events come at once/)],
    })
  })

  it('a sign-in that is none of this host is no fault of the proxy', async () => {
    const { findings } = await inspectProxy(await proxied({}), 'svc_signin=x')
    expect(findings).toMatchObject([{ id: 'proxy.events', what: 'the event stream is refused with 401' }])
  })

  it('nothing else is tried where nothing answers', async () => {
    const { findings } = await inspectProxy(readHostUrl('http://127.0.0.1:9', '--url'), cookie)
    expect(findings).toMatchObject([{ id: 'proxy.reach', what: 'nothing answers at http://127.0.0.1:9' }])
  })
})
