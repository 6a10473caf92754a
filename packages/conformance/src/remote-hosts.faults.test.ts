import { createHost, memoryStore } from '@svc/host'
import { pino } from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import { startHostProcess } from './testing/host-process.ts'
import { openRemoteBed, type RemoteBed } from './testing/remote.ts'
import { verifies } from './verifies.ts'

let bed: RemoteBed
const closers: (() => unknown)[] = []
const store = memoryStore()
const options = { store, secret: 's'.repeat(32) }
beforeEach(async () => {
  bed = await openRemoteBed(options)
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await bed.close()
})

verifies(
  ['link.gives_up', 'link.orphans'],
  'a host in memory that is killed forgets its machines: they are told so, and stop',
  async () => {
    const first = startHostProcess('memory-host.ts', ['0'])
    const [port = '', token = ''] = (await first.line('ready')).split(' ')
    const machine = bed.start(Number(port), token)
    await machine.line('online-1')
    first.kill()
    await first.ended
    await machine.line('waiting-1')
    const second = startHostProcess('memory-host.ts', [port])
    closers.push(() => second.kill())
    await second.line('ready')
    const end = JSON.parse(await machine.line('ended-1'))
    expect(end).toMatchObject({ reason: 'unknown_token', message: expect.stringMatching(/memory.*[Ee]nrol/) })
    expect(await machine.ended).toEqual({ code: 0, signal: null })
  },
)

verifies(
  ['link.back', 'link.leaving', 'link.once', 'link.lost'],
  'a host that is closed and started again with its store has its machines back',
  async () => {
    const machine = bed.start(bed.port)
    await machine.line('online-1')
    const job = bed.job('hang')
    await job.there
    await bed.host.close()
    expect(await job.outcome).toMatchObject({ ok: false, code: 'agent_unavailable' })
    await machine.line('waiting-1')
    expect(machine.plugins().filter(({ command }) => command.startsWith('sleep'))).toEqual([])

    const again = createHost({
      ...options,
      signIn: 'dev',
      runner: null,
      models: null,
      logger: pino({ level: 'silent' }),
    })
    closers.push(() => again.close())
    await again.listen(bed.port)
    await machine.line('online-2')
    await expect.poll(() => again.runners.online('ada')).toMatchObject([{ id: bed.runnerId, epoch: 2 }])
    expect(await bed.starts()).toEqual(['hang'])
  },
)
