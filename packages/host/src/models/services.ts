import type { WindowServices } from '../windows/services.ts'
import type { Models } from './providers/models.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { WebSearch } from './web/search.ts'

/** With language models, their quotas, and the web. */
export interface ModelServices extends WindowServices {
  readonly models: Models
  readonly quotas: Quotas
  /** The methods that this host does not implement: `not_implemented`, and left out of what `hello` tells. */
  readonly missing: ReadonlySet<string>
  /** `null`: this host has none. */
  readonly webSearch: WebSearch | null
}
