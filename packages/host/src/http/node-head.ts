import type { IncomingMessage } from 'node:http'
import type { Head } from './head.ts'

/** The head of a `node:http` request. */
export function nodeHead(req: IncomingMessage): Head {
  const { headers } = req
  const get = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }
  return {
    method: req.method ?? 'GET',
    url: req.url ?? '/',
    get,
    request: () =>
      new Request(`http://${get('host') ?? 'localhost'}${req.url ?? '/'}`, {
        method: req.method ?? 'GET',
        headers: Object.entries(headers).map(([name]) => [name, get(name) ?? ''] as [string, string]),
      }),
  }
}
