import type { WindowServices } from '../windows/services.ts'
import type { Models } from './providers/models.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { WebSearch } from './web/search.ts'

/** With language models, their quotas, and the web. */
export interface ModelServices extends WindowServices {
  readonly models: Models
  readonly quotas: Quotas
  /** `null`: this host has none. */
  readonly webSearch: WebSearch | null
}
