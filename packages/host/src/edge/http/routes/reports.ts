import { refuse } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import { openReportLog, readReports } from '../report-log.ts'
import { mediaTypeOf, readBytes, wrongType } from './body.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

const { bodyTypes } = table['health.reports']

/** What browsers report of the page and of bundles: by anybody, with no cookie looked at. */
export function reportHandlers({ services }: RouteParts): HandlersOf<'health.reports'> {
  const log = openReportLog(services)
  return {
    async 'health.reports'({ raw }) {
      if (!bodyTypes.some((type) => type === mediaTypeOf(raw))) throw wrongType(raw, bodyTypes)
      const { BROWSER_REPORTS_MAX_BYTES, BROWSER_REPORTS_PER_BODY } = services.limits
      const bytes = await readBytes(raw, BROWSER_REPORTS_MAX_BYTES)
      const reports = readReports(bytes.toString(), BROWSER_REPORTS_PER_BODY)
      if (!reports) throw refuse('invalid_arg', 'the body must be a report of a browser, or an array of them')
      for (const report of reports) await log.take(report)
      return new Response(null, { status: 204 })
    },
  }
}
