/** Where everything of the HTTP surface lives (spec §9.1, design §9). */
export const paths = {
  rpc: '/api/v1/svc-apps/runtime/rpc',
  calls: '/api/v1/svc-apps/runtime/calls',
  /** The links of enrolled machines. */
  runnerLink: '/api/v1/svc-apps/runners/connect',
  events: '/api/v1/svc-apps/runtime/events',
  /** The session routes of spec §4.3. */
  sessions: '/api/v1/copilot/app',
  /** The one of them that stands elsewhere. */
  fromSampling: '/copilot/app/sessions/from_sampling',
  /** The publishing routes of spec §4.6. */
  plugs: '/plugs',
  bundles: '/api/v1/svc-apps/bundles/',
  files: '/api/v1/svc-apps/files/',
  uploads: '/api/v1/svc-apps/uploads/',
} as const
