import {
  type Engine,
  engineProblem,
  mount,
  openTabOf,
  shown,
  startBridge,
  type Tab,
} from '@svc/conformance/browsers'
import { startPageHost } from '@svc/conformance/testing/page-host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { buildPackageApps } from './testing/packages/package-apps.ts'
import { nameOf } from './testing/packages/package-row.ts'
import { packageRows } from './testing/packages/rows.ts'

type Served = Awaited<ReturnType<typeof serve>>
let served: Served | Error
beforeAll(async () => {
  served = await serve().catch((error: Error) => error)
}, 300_000)
afterAll(() => (served instanceof Error ? undefined : served.close()))

async function serve() {
  const apps = await buildPackageApps(packageRows)
  const host = await startPageHost({ dir: apps.dir })
  return { url: host.url, close: () => host.close().finally(apps.remove) }
}

describe.each<Engine>(['chromium', 'firefox', 'webkit'])('in %s an app has', (engine) => {
  const problem = engineProblem(engine)
  let tab: Tab | undefined
  beforeEach(({ skip }) => {
    skip(problem !== null, `${engine}: ${problem}; npm run tools`)
    skip(served instanceof Error && /npm/.test(served.message), `the packages cannot be installed: ${served}`)
  })
  beforeAll(async () => {
    if (problem !== null || served instanceof Error) return
    tab = await openTabOf(engine)
    await tab.goto(served.url)
    await tab.run(startBridge)
  }, 120_000)
  afterAll(() => tab?.close())

  verifies.each('wall.bundle.packages')(packageRows.map((row) => [nameOf(row), row] as const))(
    '%s',
    async (name, { result = true, says = /^$/, lacks = {} }) => {
      if (served instanceof Error || !tab) throw served
      await tab.run(mount(name))
      const { value, error, said } = (await shown(tab)) as { value: unknown; error?: string; said: string[] }
      await tab.run('win?.detach()')
      expect([value, error]).toEqual([
        engine in lacks && value !== result ? lacks[engine] : result,
        undefined,
      ])
      // The policy of a document is in it as well, and tells the same.
      expect([...new Set(said)].join('\n')).toMatch(says)
    },
  )
})
