/**
 * A host in a process of its own, with an app of ada's whose bundle has one large file. It prints `ready <JSON>`, and
 * for a word that comes in the word and its figures. Argument: its limits as JSON.
 */

import { memoryBlobs } from '@svc/host'
import { atPort, openTestHost } from './host.ts'
import { openTurnMeter, readFigures, type TurnFigures } from './turn-meter.ts'

/** What a test needs to speak to the host. */
export interface BytesHostReady {
  readonly url: string
  readonly appId: string
  readonly ada: { readonly windowUuid: string; readonly token: string; readonly cookie: string }
  /** The path of a file of `FILE_BYTES`, for anybody. */
  readonly file: string
}

/** What it says of itself. */
export interface BytesHostFigures extends TurnFigures {
  /** The memory that it has now. */
  readonly memoryMiB: number
  /** The connections that it has open. */
  readonly sockets: number
}

/** The size of the large file. */
export const FILE_BYTES = 20_971_520

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}'))

async function serve(limits: Readonly<Record<string, number>>): Promise<void> {
  const kept = memoryBlobs()
  // Each piece is a copy, as it is where bytes come from a disk.
  const blobs = {
    ...kept,
    slice: async (digest: string, from: number, to: number) => {
      const piece = await kept.slice(digest, from, to)
      return piece && new Uint8Array(piece)
    },
  }
  const manifest = { host_api: { storage: ['*'], agent: { session: { auto: true } } } }
  const files = { 'index.html': '<!doctype html>', 'large.bin': 'x'.repeat(FILE_BYTES) }
  const testHost = await openTestHost({ manifest, files, blobs, limits })
  const ada = await testHost.openWindow()
  const opened = await testHost.request('/api/v1/svc-apps/windows', {
    method: 'POST',
    body: JSON.stringify({ app_id: testHost.appId }),
    cookie: ada.cookie,
  })
  const { entry_url } = (await opened.json()) as { entry_url: string }
  const file = new URL(entry_url, testHost.origin).pathname.replace('index.html', 'large.bin')
  const { url, port } = await testHost.host.listen(0)
  const at = { ...ada, cookie: atPort(ada.cookie, { port }) }
  console.log('ready', JSON.stringify({ url, appId: testHost.appId, ada: at, file } satisfies BytesHostReady))
  const meter = openTurnMeter()
  process.stdin.on('data', (word) => {
    const memoryMiB = Math.round(process.memoryUsage.rss() / 1_048_576)
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const figures: BytesHostFigures = { memoryMiB, sockets, ...readFigures(meter) }
    console.log(String(word), JSON.stringify(figures))
  })
}
