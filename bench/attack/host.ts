import { atPort, openTestHost } from '@svc/conformance/testing/host'
import { createRunner } from '@svc/runner'
import { buildPlugin } from '../lib/build-plugin.ts'

/**
 * The real host with its default limits, an app of eve's that ada has too, and a plugin. Argument: a folder. It sends
 * what both need, and answers each message with its memory in MiB, after a collection where it is asked for `rest`.
 */
const [folder = '.'] = process.argv.slice(2)
const FILE_BYTES = 20_971_520
const plugin = { slug: 'bench', command: [process.execPath, await buildPlugin(folder)] as [string, string] }
const grants = { upload_grant: true }
const testHost = await openTestHost({
  user: 'eve',
  storage: 'persistent',
  runner: createRunner({}),
  plugins: [plugin],
  grants,
  manifest: {
    required_plugs: ['bench'],
    host_api: { storage: ['*'], upload: ['*'], agent: { session: { auto: true } } },
  },
  files: { 'index.html': '<!doctype html>', 'large.bin': 'x'.repeat(FILE_BYTES) },
  limits: { WINDOW_TOKEN_TTL_MS: 3_600_000 },
})
await testHost.host.plugins.ready()
const { apps } = testHost.host
const { version } = await apps.release('eve', testHost.appId, '1.0.0')
await apps.install('ada', { app_id: testHost.appId, version, grants })
const eve = await testHost.openWindow()
const ada = await testHost.openWindow(undefined, undefined, await testHost.signIn('ada'))
const opened = await testHost.request('/api/v1/svc-apps/windows', {
  method: 'POST',
  body: JSON.stringify({ app_id: testHost.appId }),
  cookie: eve.cookie,
})
const { entry_url } = (await opened.json()) as { entry_url: string }
const file = new URL(entry_url, testHost.origin).pathname.replace('index.html', 'large.bin')
const { port } = await testHost.host.listen(0)
const of = ({ windowUuid, token, cookie }: typeof ada) => ({
  windowUuid,
  token,
  cookie: atPort(cookie, { port }),
})
process.on('message', (word) => {
  if (word === 'rest') globalThis.gc?.()
  process.send?.(process.memoryUsage.rss() / 1_048_576)
})
process.send?.({ port, appId: testHost.appId, file, eve: of(eve), ada: of(ada) })
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => void testHost.close().then(() => process.exit()))
