import { createPublicKey, verify } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIdentity } from './identity.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-identity-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const open = (more: Partial<Parameters<typeof openIdentity>[0]> = {}) =>
  openIdentity({ dir, token: 'svcr_first', ...more })
const folder = () => path.join(dir, 'machines', readdirSync(path.join(dir, 'machines'))[0] ?? '')

describe('the identity of a machine', () => {
  verifies('link.state', 'is found again, in files that are its user’s alone', async () => {
    const first = await open()
    expect(await first.token()).toBe('svcr_first')
    await first.keep('svcr_second', 1)
    const again = await open()
    expect([again.key, await again.token()]).toEqual([first.key, 'svcr_second'])
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: first.key }, format: 'jwk' })
    const signature = Buffer.from(again.sign('a text'), 'base64url')
    expect(verify(null, Buffer.from('a text'), key, signature)).toBe(true)
    expect(readdirSync(folder()).sort()).toEqual(['key.pem', 'token-1'])
    for (const name of ['', 'key.pem', 'token-1'])
      expect(statSync(path.join(folder(), name)).mode & 0o077).toBe(0)
  })

  verifies('link.state', 'has a key of its own for each enrolment', async () => {
    const all = [await open(), await open({ token: 'svcr_x' }), await open({ token: 'svcr_y' })]
    expect(new Set(all.map(({ key }) => key)).size).toBe(3)
    expect((await open({ dir: null })).key).not.toBe(all[0]?.key)
  })

  verifies('link.state', 'is one, however many processes start at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => open()))
    expect(new Set(all.map(({ key }) => key)).size).toBe(1)
    expect(readdirSync(folder())).toEqual(['key.pem'])
  })

  verifies('link.token.kept', 'a process that stores late does not replace a newer token', async () => {
    const [one, other] = [await open(), await open()]
    await other.keep('svcr_of_6', 6)
    await one.keep('svcr_of_5', 5)
    expect(await one.token()).toBe('svcr_of_6')
    await one.keep('svcr_of_7', 7)
    expect(await other.token()).toBe('svcr_of_7')
    expect(readdirSync(folder()).sort()).toEqual(['key.pem', 'token-7'])
  })

  verifies('link.token.kept', 'what a crash left half written is not looked at', async () => {
    const identity = await open()
    await identity.keep('svcr_of_1', 1)
    writeFileSync(path.join(folder(), 'token-2.5b0e'), 'svcr_ha', { mode: 0o600 })
    expect(await (await open()).token()).toBe('svcr_of_1')
  })

  it.each([
    ['key.pem', 0o644, /others can read .+key\.pem/],
    ['token-1', 0o640, /others can read .+token-1/],
  ])('refuses %s of mode %o', async (name, mode, says) => {
    await (await open()).keep('svcr_of_1', 1)
    chmodSync(path.join(folder(), name), mode)
    await expect(open().then((identity) => identity.token())).rejects.toThrow(says)
  })

  it.each(['key.pem', 'token-1'])('says that %s was damaged, without showing it', async (name) => {
    await (await open()).keep('svcr_of_1', 1)
    writeFileSync(path.join(folder(), name), 'secret')
    const opened = open().then((identity) => identity.token())
    await expect(opened).rejects.toThrow(/holds no (key|token)$/)
    await expect(opened).rejects.not.toThrow(/secret/)
    expect(readFileSync(path.join(folder(), name), 'utf8')).toBe('secret')
  })
})
