import { serveByFetch } from '@svc/node/testing'
import type { Network } from '../network/network.ts'

const POLICY = 'content-security-policy'

/** Makes what lets browsers reach the host of a test, with its faults. It opens no port before `listen`. */
export function openListener(network: Network) {
  const origins = new Set<string>()
  let server: ReturnType<typeof serveByFetch> | undefined

  /** The page may also have frames of the development servers that tests name. */
  async function handle(request: Request): Promise<Response> {
    const response = await network.send(request)
    const policy = response.headers.get(POLICY)
    if (origins.size === 0 || policy === null || new URL(request.url).pathname !== '/') return response
    const headers = new Headers(response.headers)
    headers.set(POLICY, policy.replace('frame-src', ['frame-src', ...origins].join(' ')))
    const { body, status } = response
    return new Response(body, { status, headers })
  }

  return {
    async listen(frameUrl?: string): Promise<{ readonly url: string }> {
      if (frameUrl !== undefined) origins.add(new URL(frameUrl).origin)
      server ??= serveByFetch(handle, 0)
      const { url } = await server
      return { url }
    },
    async close(): Promise<void> {
      await (await server)?.close()
    },
  }
}
