import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { type WindowRow, windows } from '../../catalog/window-row.ts'
import { countedPorts } from '../../testing/counted-ports.ts'
import { openPluginBed } from '../../testing/plugins.ts'
import { weather } from '../../testing/publishing.ts'
import { notifyConfigured } from './notify.ts'
import type { KnownPlugin } from './plugins.ts'

type Bed = Awaited<ReturnType<typeof open>>

/** 1 000 open windows of 200 users in an app that declares another plugin, and three in apps that declare ada's. */
async function open() {
  const ports = countedPorts(frozenClock())
  const bed = openPluginBed({}, { store: ports.store })
  const toolId = await bed.publish('ada', { visibility: 'public' })
  const concerned: string[] = []
  for (const user of ['ada', 'bob', 'eve'])
    concerned.push((await bed.open(user, await bed.app(user, [toolId, 'weather']))).windowUuid)
  const { windowUuid } = await bed.open('bob', await bed.app('bob', ['radar']))
  const { row } = (await ports.store.get(windows, windowUuid)) as { row: WindowRow }
  for (let n = 0; n < 1_000; n++)
    await ports.store.insert(windows, `w${n}`, { ...row, user_id: `u${n % 200}` })
  await bed.told()
  return { ...bed, ports, toolId, concerned }
}

it.each([
  [
    'a new version of a public plugin',
    ({ services, toolId }: Bed) =>
      services.publishing.publish('ada', toolId, { manifest: weather('Better.') }),
  ],
  [
    'the removal of a public plugin',
    ({ services, toolId }: Bed) => services.publishing.remove('ada', toolId),
  ],
  [
    'the description of a plugin of the configuration',
    ({ services }: Bed) =>
      notifyConfigured(services, { tool_id: 'tool-local-weather-1', handle: 'weather' } as KnownPlugin),
  ],
])('%s is told without reading the windows of others', async (_what, step) => {
  const bed = await open()
  const [asked, scanned] = [bed.ports.asked(), bed.ports.scanned()]
  await step(bed)
  expect((await bed.told()).sort()).toEqual(bed.concerned.sort())
  expect(bed.ports.asked() - asked).toBeLessThan(60)
  expect(bed.ports.scanned() - scanned).toBeLessThan(20)
})
