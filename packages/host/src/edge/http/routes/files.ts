import type { MiddlewareHandler } from 'hono'
import { bundleFile } from '../../../apps/bundle-file.ts'
import { openReceiver } from '../../../data/uploads/receive.ts'
import { serveFile } from '../../../data/uploads/serve.ts'
import { localPath, paths } from '../../../kernel/request/paths.ts'
import { readBundleAddress } from '../../../windows/bundle-url.ts'
import { servePieces } from '../serve-pieces.ts'
import { mediaTypeOf, readBytes, wrongType } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

const PREFLIGHT_S = 600

/** What an iframe of an opaque origin needs to be let through; the signature alone gives leave, so any origin may ask. */
const preflight = {
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': String(PREFLIGHT_S),
} as const

/** Libraries send headers of their own, also for a file of the app: it is the same for everybody, whatever they say. */
const filePreflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': String(PREFLIGHT_S),
} as const

/** Lets any origin read what an upload came to, refusals too: a bundle reads why. */
export const forAnyOrigin: MiddlewareHandler<RouteEnv> = async (c, next) => {
  await next()
  c.header('access-control-allow-origin', '*')
}

/**
 * What is read and written as bytes. Files of bundles are public by their digest, their documents for windows alone;
 * uploads and images are public under a name that nobody guesses, and are written with a signature and no cookie.
 */
export function fileHandlers({
  services,
  guard,
}: RouteParts): HandlersOf<
  'bundles.read' | 'bundles.preflight' | 'files.read' | 'uploads.put' | 'uploads.preflight'
> {
  const receive = openReceiver(services)
  return {
    async 'bundles.read'({ raw, head }) {
      const { pathname, search, searchParams } = new URL(raw.url)
      const rest = localPath(services.settings.basePath, pathname).slice(paths.bundles.length)
      const { digest, name, ...ticketed } = readBundleAddress(rest, searchParams)
      const at = {
        ...ticketed,
        origin: guard.own(head),
        also: guard.also(head),
        pages: guard.pages(head),
        label: guard.label(head),
        mode: head.get('sec-fetch-mode') ?? null,
        search,
        accept: head.get('accept') ?? null,
      }
      return servePieces(raw, await bundleFile(services, digest, name, at), services.limits)
    },
    'bundles.preflight': async () => new Response(null, { status: 204, headers: filePreflight }),
    'files.read': async ({ raw, params }) =>
      servePieces(raw, await serveFile(services, params.file_ref), services.limits),
    'uploads.preflight': async () => new Response(null, { status: 204, headers: preflight }),
    async 'uploads.put'({ raw, params: { file_ref }, context }) {
      const read = (maxBytes: number) => readBytes(raw, maxBytes)
      const checkType = (mime: string) => {
        if (!['', mime].includes(mediaTypeOf(raw))) throw wrongType(raw, [mime])
      }
      const { size_bytes } = await receive(file_ref, {
        sig: context.req.query('sig') ?? '',
        checkType,
        read,
      })
      return { file_ref, size_bytes }
    },
  }
}
