import { deepEqual } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { bentApp, playOpens } from '../testing/bent-page.ts'
import { outcomeOf, playPolicies, policies, policyApp } from '../testing/policies.ts'
import { slackMs } from '../testing/processes.ts'
import type { Scenario } from './scenarios.ts'

/** What becomes of apps behind what changes requests and answers. */
export const proxyScenarios: readonly Scenario[] = [
  {
    name: 'behind a proxy that changes the policy of documents an app runs with all walls, or nothing of it does',
    app: policyApp,
    async prove({ tab, url, name }) {
      const outcomes = await playPolicies(url, Object.keys(policies), name, tab)
      const others = [...outcomes].filter(([row, outcome]) => !isDeepStrictEqual(outcome, outcomeOf(row)))
      deepEqual(others, [])
    },
  },
  {
    name: 'behind proxies and middleware of many kinds an app works, or its page is told what is wrong',
    app: bentApp,
    async prove({ tab, url, name }) {
      deepEqual(await playOpens(url, tab, await slackMs(), name), [])
    },
  },
]
