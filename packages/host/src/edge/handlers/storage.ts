import type { Handlers } from '@svc/contract'
import { storage as kept } from '../../data/storage/storage.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { CallContext } from './context.ts'

/** Handlers of `storage.*`: a call brings all that storage asks of its caller. */
export const storage: Handlers<'storage', CallContext, JsonText> = kept
