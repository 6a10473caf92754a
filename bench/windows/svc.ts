import { createHost } from '@svc/host'
import { openFolder } from '@svc/state-sqlite'
import { answerFigures } from './answer-figures.ts'

/** All clients of the measurement have one address. */
const ENDLESS = 1_000_000
const HOUR_MS = 3_600_000

/** Where the state is kept; left out: in memory. */
const [, , dir] = process.argv
const folder = dir === undefined ? null : await openFolder(dir)
const { store, bus, blobs, secret } = folder ?? {}

/** The real host with a released app, whose owner is called `owner`. */
const host = createHost({
  signIn: 'dev',
  runner: null,
  models: null,
  ...(store && bus && blobs && secret && { store, bus, blobs, secret }),
  limits: {
    WINDOW_TOKEN_TTL_MS: HOUR_MS,
    CONNECTIONS_MAX: ENDLESS,
    CONNECTIONS_PER_ADDRESS: ENDLESS,
    RATE_SIGN_IN_PER_SECOND: ENDLESS,
    RATE_SIGN_IN_BURST: ENDLESS,
  },
})
const { port } = await host.listen(0)
await host.users.ensure('owner')
const { app_id } = await host.apps.register('owner', { slug: 'bench', name: 'Bench' })
await host.apps.pushDraft('owner', app_id, {
  manifest: { schema: 3, name: 'Bench', ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] } },
  files: new Map([['index.html', Buffer.from('<!doctype html>')]]),
})
await host.apps.release('owner', app_id, '1.0.0')

answerFigures({ port, appId: app_id, startToken: host.startToken ?? '' }, async () => {
  await host.close()
  await folder?.close()
})
