import type { BendRow } from '../../packages/testing/src/front/bend.ts'
import { bendTable } from '../../packages/testing/src/front/bends.ts'
import { code, table } from './table.ts'

const seen = (text: string | undefined) =>
  text === undefined
    ? ''
    : text
        .split('; ')
        .map((one) => (/^(works|no )/.test(one) ? one : code(one)))
        .join(', ')

/** Every bend of a front, and what a page with windows sees behind it. */
export function bendsPage(): string {
  const rows = Object.entries<BendRow>(bendTable).map(([name, { does, opens, runs }]) => [
    code(name),
    does,
    seen(opens),
    seen(runs),
  ])
  return `# Between a page and its host

What [\`createBendingFront\`](../guides/testing.md#behind-proxies-middleware-and-networks) of @svc/testing plays by name, and what a page
sees. Each line is tried in a browser. *Opens*: the front is there when a window is opened. *Goes on*: a window is open, all connections break, and the
front is there from then on; nothing stands there where what is open has passed already.

*works*: the app connects, its calls are answered, and its events come within 2 seconds. An event may be lost before the page
has its place in the stream; then \`bridge.on('reset')\` says so. Else the code of the error that \`mountWindow\` or a call of the app fails with, and
what the bridge tells: \`host_lost\` with its reason, \`intercepted\` with the HTTP status (0: a redirect), \`signed_out\`. *no event*: calls work.

${table(['Bend', 'What it plays', 'Opens', 'Goes on'], rows)}`
}
