import type { App } from '../state/state.ts'

/** An app at its newest release, without views. */
export const atlas: App = {
  app_id: 'app-1',
  slug: 'atlas',
  name: 'Atlas',
  version: '1.0.0',
  latest_release: '1.0.0',
  build_problem: null,
  views: [],
}
