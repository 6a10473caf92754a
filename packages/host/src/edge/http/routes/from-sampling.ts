import { refuse } from '@svc/contract'
import type { Hono } from 'hono'
import { paths } from '../../../kernel/request/paths.ts'
import { fromSampling } from '../../../work/sampling/from-sampling.ts'
import { json } from './answer.ts'
import { readJson } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

/**
 * A session for the plugin of a call under way: the sampling token of that call is the only authority, so
 * there is no cookie and no `Origin` to judge. The session's own token stays here.
 */
export function fromSamplingRoute(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  routes.post(paths.fromSampling, async (c) => {
    const { sampling_token, ...order } = await readJson(c.req.raw, house)
    if (typeof sampling_token !== 'string') throw refuse('invalid_token', 'sampling_token must be text')
    return json(await fromSampling(house, sampling_token, order))
  })
}
