import { type RouteName, routes } from '@svc/contract/routes'

/** What is before the first parameter of a path. */
const folderOf = (name: RouteName): string => routes[name].path.split('{')[0] ?? ''

/** The places of the route table that are named outside of their handlers. */
export const paths = {
  rpc: routes['calls.rpc'].path,
  calls: routes['calls.socket'].path,
  events: routes['calls.events'].path,
  /** The links of enrolled machines. */
  runnerLink: routes['runners.connect'].path,
  bundles: folderOf('bundles.read'),
  files: folderOf('files.read'),
  uploads: folderOf('uploads.put'),
  /** Where browsers report to, from a page and from a bundle at whatever origin. */
  reports: routes['health.reports'].path,
} as const
