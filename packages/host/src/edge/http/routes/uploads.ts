import type { Hono } from 'hono'
import { openReceiver } from '../../../data/uploads/receive.ts'
import { paths } from '../../../kernel/request/paths.ts'
import { json } from './answer.ts'
import { mediaTypeOf, readBytes, wrongType } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const PREFLIGHT_S = 600

/** What an iframe of an opaque origin needs to be let through; the signature alone gives leave, so any origin may ask. */
const preflight = {
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': String(PREFLIGHT_S),
} as const

/** The URLs that `upload.negotiate` gives: a signature, no cookie, any origin. */
export function uploadRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const receive = openReceiver(house)
  routes.use(`${paths.uploads}*`, async (c, next) => {
    await next()
    // On refusals too: a bundle reads why.
    c.header('access-control-allow-origin', '*')
  })
  routes.options(`${paths.uploads}:file`, () => new Response(null, { status: 204, headers: preflight }))
  routes.put(`${paths.uploads}:file`, async (c) => {
    const request = c.req.raw
    const file_ref = c.req.param('file')
    const sig = c.req.query('sig') ?? ''
    const read = (maxBytes: number) => readBytes(request, maxBytes)
    const holdType = (mime: string) => {
      if (!['', mime].includes(mediaTypeOf(request))) throw wrongType(request, [mime])
    }
    const { size_bytes } = await receive(file_ref, { sig, holdType, read })
    return json({ file_ref, size_bytes })
  })
}
