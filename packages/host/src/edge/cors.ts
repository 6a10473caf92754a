import { WINDOW_TOKEN_HEADER } from '@svc/contract'
import type { Head } from '../kernel/request/head.ts'
import { paths } from '../kernel/request/paths.ts'

/** What lets a page of another site read an answer. */
export interface Cors {
  /** Headers of each answer to it. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether this is the question before a request, which is answered by these headers alone. */
  readonly isPreflight: boolean
}

/** Paths that any page may read, and that have no use for who asks. */
const open = [paths.bundles, paths.files, paths.uploads]

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': `authorization, content-type, last-event-id, ${WINDOW_TOKEN_HEADER}`,
  // Two hours: Chromium keeps it no longer.
  'access-control-max-age': '7200',
}

/** The same for a page that is listed. */
export function corsOf(head: Head, origin: string, path: string): Cors | null {
  if (open.some((one) => path.startsWith(one))) return null
  const isPreflight = head.method === 'OPTIONS' && head.get('access-control-request-method') !== undefined
  const headers = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after',
    vary: 'origin',
  }
  return { headers: isPreflight ? { ...headers, ...PREFLIGHT } : headers, isPreflight }
}
