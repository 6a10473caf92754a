import { refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import type { Hono } from 'hono'
import { paths } from '../../../kernel/request/paths.ts'
import { readReports } from '../read-reports.ts'
import { openReportLog } from '../report-log.ts'
import { mediaTypeOf, readBytes, wrongType } from './body.ts'
import type { RouteEnv, RouteParts } from './env.ts'

const { bodyTypes } = table['health.reports']

/** What browsers report of the page and of bundles: by anybody, with no cookie looked at. */
export function reportRoutes(routes: Hono<RouteEnv>, { house }: RouteParts): void {
  const log = openReportLog(house)
  routes.post(paths.reports, async (c) => {
    const request = c.req.raw
    if (!bodyTypes.some((type) => type === mediaTypeOf(request))) throw wrongType(request, bodyTypes)
    const { BROWSER_REPORTS_MAX_BYTES, BROWSER_REPORTS_PER_BODY } = house.limits
    const bytes = await readBytes(request, BROWSER_REPORTS_MAX_BYTES)
    const reports = readReports(bytes.toString(), BROWSER_REPORTS_PER_BODY)
    if (!reports) throw refuse('invalid_arg', 'the body must be a report of a browser, or an array of them')
    for (const report of reports) await log.take(report)
    return new Response(null, { status: 204 })
  })
}
