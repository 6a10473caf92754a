import type { TestHost } from '@svc/conformance/testing/host'
import type { HostOptions } from '@svc/host'

/** The user whose pages read. */
export const USER = 'ada'

/** A listening host that has something to tell the pages of its user. */
export interface Feed {
  readonly port: number
  /** The path of the event stream that tells it, and the cookie that it asks for. */
  readonly path: string
  readonly cookie: string
  /** Has the host send the next message, numbered from 1, to every page that reads. */
  send(seq: number): void
  /** The same message as a bare server writes it. */
  textOf(seq: number): string
  /** What is in the message of this number and in no other. */
  markOf(seq: number): string
  close(): Promise<void>
}

/** The limits of a host whose user has so many pages. */
export const limitsFor = (pages: number): NonNullable<HostOptions['limits']> => ({
  EVENT_STREAMS_PER_USER: pages,
  RATE_ROUTE_BURST: 10 * pages,
})

/** Has the host listen; returns where its event stream is. */
export async function listen({ host }: TestHost, query: string): Promise<Pick<Feed, 'port' | 'path'>> {
  const { port } = await host.listen(0)
  return { port, path: `/api/v1/svc-apps/runtime/events?${query}` }
}
