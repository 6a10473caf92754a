import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { AgreedPlug } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { startSvc } from '../testing/cli.ts'

let dir = ''
let testHost: TestHost
let url = ''
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-consent-'))
  testHost = await openTestHost({ harness: true, runner: null, user: 'eve' })
  ;({ url } = await testHost.host.listen(0))
})
afterAll(async () => {
  await testHost.close()
  rmSync(dir, { recursive: true, force: true })
})

const manifest = (description: string) => ({ name: 'sky', tools: [{ name: 'look', description }] })

/** A program that leaves a file behind as soon as it runs. */
function program(mark: string) {
  const script = path.join(dir, `${mark}.mjs`)
  const loot = path.join(dir, `${mark}.loot`)
  const describe = JSON.stringify(manifest(mark))
  writeFileSync(
    script,
    `import { createInterface } from 'node:readline'
import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(loot)}, 'ran')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'describe' ? ${describe} : { output: { mark: '${mark}' } }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}).on('close', () => process.exit())
`,
  )
  const distribution = { type: 'local', path: script } as const
  return { distribution, ran: () => existsSync(loot) }
}

verifies(
  ['wall.consent', 'wall.consent.again', 'wall.enrolled'],
  'an app that was granted nothing brings no code onto the machine of svc runner, until its user agrees',
  async () => {
    const { host, appId } = testHost
    const [one, two] = [program('one'), program('two')]
    const plug = { name: 'Sky', type: 'tool', visibility: 'public', manifest: manifest('one') }
    const { tool_id } = await host.publishing.create('eve', { ...plug, distribution: one.distribution })
    const release = async (version: string) => {
      await testHost.pushDraft({ optional_plugs: [tool_id] })
      await host.apps.release('eve', appId, version)
    }
    await release('1.0.0')

    const cookie = await testHost.signIn('ada')
    const { token } = await host.runners.enrol('ada', { name: 'desk' })
    writeFileSync(path.join(dir, 'token'), token, { mode: 0o600 })
    // Without walls, so that consent alone keeps the program from leaving its file behind.
    const flags = ['--token-file', 'token', '--dir', 'installs', '--isolation', 'none', '--allow', tool_id]
    const machine = startSvc(['runner', '--host', url, ...flags], { cwd: dir })
    await machine.sees('online as desk')
    const open = async (version: string, plugs: AgreedPlug[] = []) => {
      await host.apps.install('ada', { app_id: appId, version, grants: { plugs } })
      const window = await testHost.openWindow(undefined, undefined, cookie)
      await window.call('window', 'hello')
      return window
    }
    const call = { tool_id, method: 'look' }
    const denied = { error: { code: 'permission_denied', details: { denied_by: 'grant', tool_id } } }

    const window = await open('1.0.0')
    expect(await window.call('tools', 'list')).toMatchObject({
      result: { tools: [{ status: 'unavailable', reason: expect.stringContaining('not agreed') }] },
    })
    expect(await window.call('tools', 'invoke', call)).toMatchObject(denied)
    expect(await window.call('tools', 'invokeAsync', call)).toMatchObject(denied)
    expect(one.ran()).toBe(false)
    expect(existsSync(path.join(dir, 'installs', tool_id))).toBe(false)

    const always = { tool_id, version: '1.0.0', answer: 'always' } as const
    await host.apps.agree('ada', window.windowUuid, always)
    expect(await window.call('tools', 'invoke', call)).toMatchObject({ result: { mark: 'one' } })
    expect(one.ran()).toBe(true)

    await host.publishing.publish('eve', tool_id, {
      manifest: manifest('two'),
      distribution: two.distribution,
    })
    await release('1.1.0')
    const before = (await host.apps.installs('ada')).find(({ app_id }) => app_id === appId)?.grants.plugs
    const newer = await open('1.1.0', before)
    expect(await newer.call('tools', 'invoke', call)).toMatchObject(denied)
    expect(two.ran()).toBe(false)
    await host.apps.agree('ada', newer.windowUuid, { ...always, version: '1.0.1' })
    expect(await newer.call('tools', 'invoke', call)).toMatchObject({ result: { mark: 'two' } })

    machine.child.kill('SIGTERM')
    expect(await machine.ended).toMatchObject({ code: 0 })
  },
)
