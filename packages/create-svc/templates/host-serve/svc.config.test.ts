import { createHost } from '@svc/host'
import { expect, it } from 'vitest'
import config from './svc.config.ts'

it('has every app of the config', async () => {
  const host = createHost({ harness: true, apps: config.apps })
  try {
    await host.apps.ready()
    expect(await host.apps.installed('ada')).toMatchObject([{ name: 'Counter' }])
  } finally {
    await host.close()
  }
})
