import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { openFirefox } from './firefox.ts'
import { type KnownLeaks, known } from './known.ts'
import type { Tab } from './tab.ts'
import { takeWays } from './take.ts'
import { WEBKIT } from './webdriver.ts'
import { openWebkit } from './webkit.ts'

interface Row {
  readonly name: string
  readonly needs: readonly string[]
  readonly packages: string
  /** What its names end with: those under `localhost` it looks up by itself. */
  readonly root: string
  readonly known: KnownLeaks
  open(dir: string): Promise<Tab>
}

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))
const rows: readonly Row[] = [
  {
    name: 'Firefox',
    needs: [firefox ?? '/usr/bin/firefox-esr'],
    packages: 'firefox-esr',
    root: 'test',
    known: known.Firefox,
    open: (dir) => openFirefox(dir),
  },
  {
    name: 'WebKit',
    needs: [WEBKIT.driver, WEBKIT.browser, '/usr/bin/xvfb-run'],
    packages: 'webkit2gtk-driver xvfb',
    root: 'localhost',
    known: known.WebKit,
    open: openWebkit,
  },
]

for (const { name, needs, packages, root, known, open } of rows) {
  const missing = needs.filter((path) => !existsSync(path))
  if (missing.length > 0) {
    console.log(`${name}: not run, because ${missing.join(', ')} is missing: apt-get install ${packages}`)
    continue
  }
  const { called, bundle, control } = await takeWays(open, root)
  const expected = {
    names: Object.keys(known.names),
    connections: known.connections,
    isAsked: false,
    packets: 0,
  }
  const same = called === 'done' && control.isAsked && isDeepStrictEqual(bundle, expected)
  console.log(`${name}: ${same ? 'as known' : 'NOT as known'}; the first call of an app: ${called}`)
  console.log(`  out of bundles: ${JSON.stringify(bundle)}`)
  if (!same) console.log(`  known: ${JSON.stringify(expected)}`)
  console.log(`  out of a page without a policy: ${JSON.stringify(control)}`)
  if (!same) process.exitCode = 1
}
