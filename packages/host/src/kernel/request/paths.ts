/** Where everything of the HTTP surface lives. */
export const paths = {
  rpc: '/api/v1/svc-apps/runtime/rpc',
  calls: '/api/v1/svc-apps/runtime/calls',
  /** The links of enrolled machines. */
  runnerLink: '/api/v1/svc-apps/runners/connect',
  events: '/api/v1/svc-apps/runtime/events',
  /** The session routes. */
  sessions: '/api/v1/copilot/app',
  /** The one of them that stands elsewhere. */
  fromSampling: '/copilot/app/sessions/from_sampling',
  /** The publishing routes. */
  plugs: '/plugs',
  bundles: '/api/v1/svc-apps/bundles/',
  /** Where browsers report to, from a page and from a bundle at whatever origin. */
  reports: '/api/v1/svc-apps/reports',
  files: '/api/v1/svc-apps/files/',
  uploads: '/api/v1/svc-apps/uploads/',
} as const
