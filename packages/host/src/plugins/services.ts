import type { ModelServices } from '../models/services.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { Credentials } from './credentials/credentials.ts'
import type { Plugins } from './deployments/plugins.ts'
import type { PublishedPlugins } from './deployments/published.ts'
import type { OpenPublishing } from './publishing/publishing.ts'
import type { Variables } from './variables/variables.ts'

/** With the plugins of the operator and of users. */
export interface PluginServices extends ModelServices {
  readonly plugins: Plugins
  /** Those of them that users published, as publishing knows them. */
  readonly published: PublishedPlugins
  readonly approvals: Approvals
  readonly publishing: OpenPublishing
  readonly credentials: Credentials
  readonly variables: Variables
}
