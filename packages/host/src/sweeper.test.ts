import { expect, it } from 'vitest'
import { openSweeper } from './sweeper.ts'
import { testServices } from './testing/services.ts'

it('each sweep comes when it is due, and one that fails keeps no other from its turn', async () => {
  const swept: string[] = []
  const services = testServices({ limits: { REAPER_INTERVAL_MS: 1_000, CLEAN_INTERVAL_MS: 3_000 } })
  const { clock } = services
  const sweeper = openSweeper({
    ...services,
    windows: {
      ...services.windows,
      async sweep() {
        swept.push('windows')
        throw new Error('the store is away')
      },
    },
    events: { ...services.events, sweep: async () => void swept.push('events') },
  })
  await clock.advance(7_000)
  expect(swept.filter((name) => name === 'windows')).toHaveLength(7)
  expect(swept.filter((name) => name === 'events')).toHaveLength(2)
  sweeper.close()
  expect(clock.timers).toBe(0)
})
