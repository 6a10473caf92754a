import { admin } from './admin.ts'
import { approvals } from './approvals.ts'
import { apps } from './apps.ts'
import { calls } from './calls.ts'
import { files } from './files.ts'
import { host } from './host.ts'
import { jobs } from './jobs.ts'
import { plugs } from './plugs.ts'
import type { RouteRow } from './row.ts'
import { runners } from './runners.ts'
import { sessions } from './sessions.ts'
import { windows } from './windows.ts'

export { approvalAnswer } from './approvals.ts'
export { plugBodies } from './plug-bodies.ts'
export {
  type AnswerOf,
  type BodyOf,
  errorsOf,
  type ParamsOf,
  type QueryOf,
  type RouteAuth,
  type RouteFailure,
  type RouteRow,
  rateOf,
} from './row.ts'
export { sessionOrder } from './sessions.ts'

/** The route table: the one truth about what the host answers over HTTP. The names are those of operations. */
export const routes = {
  ...host,
  ...calls,
  ...windows,
  ...apps,
  ...approvals,
  ...sessions,
  ...jobs,
  ...plugs,
  ...runners,
  ...files,
  ...admin,
} satisfies Record<string, RouteRow>

/** The name of a route. */
export type RouteName = keyof typeof routes

/** Every row with its name, in the order of the table. */
export const routeRows = (): [name: string, row: RouteRow][] => Object.entries<RouteRow>(routes)
