export { createRoutes } from './create-routes.ts'
export type { RouteDeps } from './env.ts'
