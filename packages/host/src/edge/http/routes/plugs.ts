import { refuse } from '@svc/contract'
import type { Hono } from 'hono'
import type { DescribeOptions } from '../../../plugins/publishing/publishing.ts'
import { whileThere } from '../../handlers/while-there.ts'
import { json } from './answer.ts'
import { readJson } from './body.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'
import { queryArgs } from './query-args.ts'
import { fromPage, signedIn } from './signed-in.ts'

const own = '/my/tools/:tool'

/** Publishing of plugins: drafts, plugins and their versions, all by the cookie. */
export function plugRoutes(routes: Hono<RouteEnv>, parts: RouteParts): void {
  const { publishing } = parts.house
  const body = (c: RouteContext) => readJson(c.req.raw, parts.house)
  /** What may have a plugin described ends with who asked for it. */
  async function asked<T>(
    c: RouteContext,
    work: (input: unknown, options: DescribeOptions) => Promise<T>,
  ): Promise<T> {
    const input = await body(c)
    return whileThere({ gone: () => c.req.raw.signal }, (signal) => work(input, { signal }))
  }
  routes.use('*', fromPage(parts), signedIn(parts))

  routes.get('/', async (c) => json(await publishing.visible(c.get('userId'), queryArgs(c))))
  routes.post('/my/drafts', async (c) => json(await publishing.mint(c.get('userId'), await body(c))))
  routes.post('/my/drafts/:draft/commit', async (c) =>
    json(
      await asked(c, (input, options) =>
        publishing.commit(c.get('userId'), c.req.param('draft'), input, options),
      ),
    ),
  )
  routes.post('/my/tools', async (c) =>
    json(await asked(c, (input, options) => publishing.create(c.get('userId'), input, options))),
  )
  routes.get('/my/tools', async (c) => json({ plugs: await publishing.own(c.get('userId')) }))
  routes.post('/my/describe', async (c) =>
    json(await asked(c, (input, options) => publishing.describe(c.get('userId'), input, options))),
  )
  routes.get(own, async (c) => json(await publishing.get(c.get('userId'), c.req.param('tool'))))
  routes.patch(own, async (c) =>
    json(await publishing.edit(c.get('userId'), c.req.param('tool'), await body(c))),
  )
  routes.delete(own, async (c) => {
    await publishing.remove(c.get('userId'), c.req.param('tool'))
    return json({})
  })
  routes.post(`${own}/versions`, async (c) => {
    const publish = isDry(c) ? publishing.preview : publishing.publish
    return json(await publish(c.get('userId'), c.req.param('tool'), await body(c)))
  })
  routes.get(`${own}/versions`, async (c) =>
    json({ versions: await publishing.versions(c.get('userId'), c.req.param('tool')) }),
  )
  routes.patch(`${own}/versions/:version`, async (c) => {
    const { tool, version } = c.req.param()
    return json(await publishing.mark(c.get('userId'), tool, version, await body(c)))
  })
}

/** `?dry_run=1`. A value that is neither 0 nor 1 is refused: who meant to try must not publish. */
function isDry(c: RouteContext): boolean {
  const asked = c.req.query('dry_run')
  if (asked === undefined || asked === '0') return false
  if (asked === '1') return true
  throw refuse('invalid_arg', `dry_run must be 0 or 1, got ${JSON.stringify(asked)}`)
}
