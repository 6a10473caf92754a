// The suites of a browser that is driven from here, which SVC_STORY_BROWSER names: `ways` takes the ways out of a bundle,
// `scenarios` plays what happens between a page, its documents and the host. `npm run browsers` starts it.
import { isDeepStrictEqual } from 'node:util'
import { openFirefox } from './firefox.ts'
import { type KnownLeaks, known } from './known.ts'
import { playScenarios } from './scenarios.ts'
import type { Tab } from './tab.ts'
import { takeWays } from './take.ts'
import { openWebkit } from './webkit.ts'

interface Row {
  /** What its names end with: those under `localhost` it looks up by itself. */
  readonly root: string
  readonly known: KnownLeaks
  open(dir: string): Promise<Tab>
}

const rows: Readonly<Record<string, Row>> = {
  firefox: { root: 'test', known: known.Firefox, open: openFirefox },
  webkit: { root: 'localhost', known: known.WebKit, open: openWebkit },
}

const suites = {
  async ways({ root, known, open }: Row): Promise<boolean> {
    const { called, bundle, control } = await takeWays(open, root)
    const { names, connections } = known
    const expected = { names: Object.keys(names), connections, isAsked: false, packets: 0 }
    const same = called === 'done' && control.isAsked && isDeepStrictEqual(bundle, expected)
    console.log(`${same ? '✓ as known' : '✗ NOT as known'}; the first call of an app: ${called}`)
    console.log(`  out of bundles: ${JSON.stringify(bundle)}`)
    if (!same) console.log(`  known: ${JSON.stringify(expected)}`)
    console.log(`  out of a page without a policy: ${JSON.stringify(control)}`)
    return same
  },
  scenarios: ({ open }: Row): Promise<boolean> => playScenarios(open),
}

const row = rows[process.env.SVC_STORY_BROWSER ?? '']
const suite = Object.entries(suites).find(([name]) => name === process.argv[2])?.[1]
if (!row || !suite)
  throw new Error(
    `SVC_STORY_BROWSER must be one of ${Object.keys(rows).join(', ')}, and the argument one of ${Object.keys(suites).join(', ')}`,
  )
process.exitCode = (await suite(row)) ? 0 : 1
