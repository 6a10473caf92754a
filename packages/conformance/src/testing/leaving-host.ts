/**
 * A host in a process of its own that is closed in the midst of work and must then end by itself: nothing
 * here calls `process.exit`. It prints `ready <url> <token> <cookie> <window>`, closes when stdin says so, and
 * prints how long that took in ms.
 */

import { atPort, openTestHost } from './host.ts'
import { ODD_PLUGIN } from './tool-host.ts'

const testHost = await openTestHost({
  ...({ runner: undefined } as object),
  limits: { SHUTDOWN_MS: 1_000 },
  plugins: [{ slug: 'odd', command: ['node', ODD_PLUGIN], env: { ODD_MARK: process.env.ODD_MARK ?? '' } }],
  manifest: { required_plugs: ['odd'] },
})
await testHost.host.plugins.ready()
const window = await testHost.openWindow()
const { url, port } = await testHost.host.listen(0)
console.log('ready', JSON.stringify({ url, ...window, cookie: atPort(window.cookie, { port }) }))
process.stdin.once('data', async () => {
  process.stdin.destroy()
  const started = performance.now()
  await testHost.close()
  console.log('closed', performance.now() - started)
})
