import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openClient } from '../host/client.ts'

/** What a host that is not to be trusted sends. */
export interface StrangeHost {
  /** The apps of its list. */
  readonly apps?: readonly object[]
  /** The body of an archive, and how it is sent. */
  readonly archive?: Uint8Array
  readonly type?: string
  readonly status?: number
  /** How many bytes it says that it sends, where it says more than it does. */
  readonly says?: number
}

const draft = { version_id: 'ver_1', version: '0.0.0-draft', name: 'Notes', digest: '', files: 1, bytes: 1 }

/** An app as a list has it. */
export const listedApp = (more: object = {}) => ({
  app_id: 'app_1',
  slug: 'notes',
  name: 'Notes',
  draft: { ...draft, pushed_at: '2026-01-01T00:00:00.000Z' },
  latest_release: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
})

/** Opens such a host, and a client of it. */
export async function openStrangeHost(sends: StrangeHost) {
  const server = createServer((request, response) => {
    if (!request.url?.endsWith('/archive')) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ apps: sends.apps ?? [listedApp()], next_cursor: null }))
      return
    }
    const { archive = Buffer.of(), type = 'application/x-tar', status = 200, says = archive.length } = sends
    response.writeHead(status, { 'content-type': type, 'content-length': says })
    if (says === archive.length) response.end(archive)
    else response.write(archive, () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    client: openClient({ origin, base: origin, isLoopback: true }, 'a=b'),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
