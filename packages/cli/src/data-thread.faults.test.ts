import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpUser } from './testing/http-user.ts'
import { type KeptHost, startKeptHost } from './testing/kept-host.ts'

/** Each start is a process that reads its modules. */
const RESTART_MS = 120_000

/** With SIGUSR2 the thread of a role ends, as an error in it would end it. */
const configOf = (role: string) => `import config from './svc.config.json' with { type: 'json' }
const threads = []
process.on('worker', (worker) => threads.push(worker))
process.on('SIGUSR2', async () => {
  await threads.find(({ threadName }) => threadName === 'svc-state-${role}').terminate()
  console.log('the thread has ended')
})
export default config
`

let kept: KeptHost
beforeEach(async () => {
  kept = await startKeptHost()
  await kept.kill()
}, RESTART_MS)
afterEach(() => kept.close())

it.each(['records', 'journals'])(
  'a host whose thread for %s dies ends with code 9, and has all when it is started again',
  {
    timeout: RESTART_MS,
  },
  async (role) => {
    writeFileSync(path.join(kept.dir, 'svc.config.js'), configOf(role))
    await kept.start()
    const ada = await openHttpUser(kept.url, 'ada')
    await ada.result('storage', 'set', { key: 'note', value: 'kept' })
    const run = ada.result('tools', 'invokeAsync', { tool_id: 'steps', method: 'walk', args: { n: '1' } })
    await run
    await kept.signal('SIGUSR2', 'the thread has ended')
    const end = await kept.ended()
    expect(end).toMatchObject({ code: 9 })
    expect(end?.err).toContain(
      `svc: THIS HOST ENDS: the data folder ${path.join(kept.dir, 'svc-data')} cannot be written: its thread for ${role} has ended.`,
    )
    await kept.start()
    expect(await ada.result('storage', 'get', { key: 'note' })).toMatchObject({ value: 'kept' })
  },
)
