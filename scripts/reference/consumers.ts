import { pages } from '../consumers/pages.ts'
import type { Consumer } from '../consumers/row.ts'
import { servers } from '../consumers/servers.ts'
import { tests } from '../consumers/tests.ts'
import { table } from './table.ts'

const HEAD = ['With', 'What to know']
const of = (rows: readonly Consumer[]) =>
  table(
    HEAD,
    rows.map(({ name, note = '' }) => [name, note]),
  )

/** What is known not to work, and why. */
const not: readonly (readonly [string, string])[] = [
  ['a host in Deno', 'threads of its data folder and processes of its plugins need what Deno 2.9 has not'],
  ['a host on edge runtimes, such as Workers', 'it starts threads and processes, and keeps files'],
  ['`nitro@3.0.0`', 'its srvx 0.8 ends the `signal` of a request when the body is read; newer betas work'],
  ['`@svc/testing` in Jest without ES modules', 'Jest cannot load packages of ES modules from CommonJS'],
  [
    '`@svc/mcp` inside of a bundle',
    'it starts a server from a file of its own: leave it out, as an external package',
  ],
]

/** What the packages are used with by others: each row is installed from the registry of a release, built and run. */
export function consumersPage(): string {
  return `# Bundlers, frameworks and package managers

Before a release the packed packages are installed, built and run with each of these, on Linux (\`npm test -- release\`).

## Servers with a host in them

Each answers from where its tool put it, bundles away from \`node_modules\`: a window, a body that is read in another thread, a
data folder, an uploaded image, a plugin in a process of its own, and events.

${of(servers)}

## Pages and apps

Each builds a page with \`@svc/bridge\` and an app with \`@svc/sdk\`; in Chromium the app keeps a value and shows it.

${of(pages)}

## Tests of apps

Each runs a test with \`@svc/testing\`.

${of(tests)}

## Known not to work

${table(['With', 'Why'], not)}`
}
