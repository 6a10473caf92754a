import { createHost } from '@svc/host'
import { expect, onTestFinished } from 'vitest'
import { verifies } from './verifies.ts'

const SAID = 'tool-ada-notes-stolen'

/** A plugin that says in `describe` who it is and what it may. */
const liar = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line)
  const result = { name: 'liar', tools: [{ name: 'do', parameters: [] }], tool_id: '${SAID}', owner: 'bob', grants: {} }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

verifies(
  'decision.ids.from_store',
  'the folder of an app gives it no id, no owner and no grant',
  async () => {
    const host = createHost({ runner: null })
    onTestFinished(() => host.close())
    const { app_id } = await host.apps.register('ada', { slug: 'notes', name: 'Notes' })
    const manifest = {
      schema: 3,
      name: 'Notes',
      ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
      app_id: 'app_other',
      owner: 'bob',
      grants: { web_grant: true },
    }
    const files = new Map([
      ['index.html', Buffer.from('<p>')],
      ['grants.json', Buffer.from('{"web_grant":true}')],
    ])
    const { version } = await host.apps.pushDraft('ada', app_id, { manifest, files })
    await host.apps.install('ada', { app_id, version })
    expect(await host.apps.installed('ada')).toMatchObject([{ app_id, grants: {} }])
    expect(await host.apps.own('ada', { limit: 10 })).toMatchObject({ apps: [{ app_id }] })
    expect(await host.apps.own('bob', { limit: 10 })).toMatchObject({ apps: [] })
    await expect(host.apps.install('bob', { app_id, version })).rejects.toMatchObject({ code: 'not_found' })
  },
)

verifies('decision.ids.from_store', 'what a plugin says gives it no id', async () => {
  const host = createHost({ plugins: [{ slug: 'liar', command: ['node', '-e', liar] }] })
  onTestFinished(() => host.close())
  await host.plugins.ready()
  const find = (name: string) => host.plugins.find({ userId: 'ada', version: null }, name)
  expect(await find('liar')).toMatchObject({
    tool_id: expect.stringMatching(/^tool-local-liar-/),
    status: 'available',
  })
  expect(await find(SAID)).toBeUndefined()
})
