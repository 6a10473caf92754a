import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { connectRunner, type RemoteRunner } from '@svc/runner'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { testRunner } from '../testing/jobs-runner.ts'
import { openMachineHost } from '../testing/runner-host.ts'
import { hello, proofOf, refusedMachine } from '../testing/runner-machine.ts'
import { hashOf, runners } from './runner-row.ts'

const log = pino({ level: 'silent' })
const secret = 's'.repeat(32)
const store = memoryStore()
let at: Awaited<ReturnType<typeof openMachineHost>>
let dir = ''
const remotes: RemoteRunner[] = []
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-machine-key-'))
  at = await openMachineHost({ store, secret })
})
afterEach(async () => {
  await Promise.all(remotes.splice(0).map((one) => one.close()))
  await at.close()
  rmSync(dir, { recursive: true })
})

const row = async () => (await store.get(runners, at.runnerId))?.row ?? expect.fail()
/** A machine as `svc runner` is one, with the token that enrolling answered and the state of that folder. */
async function start(state: string, port = at.port) {
  const { promise: online, resolve } = Promise.withResolvers<void>()
  const remote = connectRunner({
    url: `http://127.0.0.1:${port}`,
    token: at.token,
    log,
    stateDir: path.join(dir, state),
    runner: { ...testRunner(), departed: async () => {} },
    onState: ({ state }) => state === 'online' && resolve(),
  })
  remotes.push(remote)
  return { remote, online, ended: remote.ended }
}
/** It is online, and the host knows that it has stored its token. */
async function settled(state: string) {
  const machine = await start(state)
  await machine.online
  await expect.poll(async () => (await row()).next_token_hash).toBeNull()
  return machine
}

describe('the token of a machine', () => {
  verifies(
    ['link.token.rotates', 'link.key'],
    'is another after each link, while the one that enrolled it names its state',
    async () => {
      const hashes = [hashOf(at.token)]
      for (const _ of Array(3)) {
        const { remote } = await settled('own')
        hashes.push((await row()).token_hash)
        await remote.close()
      }
      expect(new Set(hashes).size).toBe(4)
      expect(await refusedMachine(at.port, at.token)).toMatchObject({ status: 401 })
    },
  )

  verifies('link.token.rotates', 'is found again by a host that starts anew', async () => {
    const machine = await settled('own')
    await machine.remote.close()
    const next = await openMachineHost({ store, secret })
    await (await start('own', next.port)).online
    expect(next.host.runners.online('ada')).toMatchObject([{ id: at.runnerId, epoch: 2 }])
    await next.close()
  })

  verifies(['link.key', 'link.token.rotates'], 'is worth nothing on another machine', async () => {
    const machine = await start('own')
    await machine.online
    const copied = await at.connect({ key: generateKeyPairSync('ed25519') }).then(
      ({ closed }) => closed,
      () => null,
    )
    // It was refused by its key, or before that because the machine had stored the next token.
    expect(copied?.code ?? 4403).toBe(4403)
    expect(at.host.runners.online('ada')).toMatchObject([{ epoch: 1 }])
    expect(await (await start('another')).ended).toMatchObject({ reason: expect.stringMatching(/token|key/) })
    expect(at.host.runners.online('ada')).toMatchObject([{ epoch: 1 }])
  })

  verifies('link.token.rotates', 'ends for one of two that have the same state', async () => {
    const first = await settled('own')
    cpSync(path.join(dir, 'own'), path.join(dir, 'clone'), { recursive: true })
    const clone = await settled('clone')
    expect(await first.ended).toMatchObject({ reason: 'displaced', message: /revoke/ })
    await clone.remote.close()
    expect(await (await start('own')).ended).toMatchObject({ reason: 'unknown_token' })
  })
})

describe('the key of a machine', () => {
  verifies('link.key', 'that came first stays, and another displaces nobody', async () => {
    const machine = await at.online()
    const other = await at.connect({ key: generateKeyPairSync('ed25519') })
    expect(await other.closed).toEqual({
      code: 4403,
      reason: 'the token belongs to the key of another machine',
    })
    expect(at.host.runners.online('ada')).toMatchObject([{ epoch: 1 }])
    const call = at.call()
    machine.answer(await machine.hear('call'), { n: 1 })
    expect(await call).toMatchObject({ ok: true })
  })

  verifies('link.key.proof', 'is not proven by what was signed for another link or host', async () => {
    const key = generateKeyPairSync('ed25519')
    const seen = await at.connect({ hello: null })
    const { head } = await seen.hear('challenge')
    const old = proofOf(head, at.port, key)
    const elsewhere = { ...proofOf(head, at.port, key), host: 'evil.example' }
    const { signature: _signature, ...unsigned } = old
    const wrong = [
      [old, 4400, 'prove'],
      [elsewhere, 4421, 'name'],
      [unsigned, 4400, 'prove'],
      [{ ...old, key: 'x' }, 4400, 'prove'],
    ] as const
    for (const [proof, code, says] of wrong) {
      const machine = await at.connect({ hello: null })
      await machine.hear('challenge')
      machine.say({ ...hello, ...proof })
      expect(await machine.closed).toMatchObject({ code, reason: expect.stringContaining(says) })
    }
    expect((await row()).key).toBeNull()
    seen.say({ ...hello, ...old })
    await seen.hear('welcome')
    expect((await row()).key).toBe(old.key)
  })
})
