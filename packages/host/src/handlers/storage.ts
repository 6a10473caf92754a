import type { Handlers } from '@svc/contract'
import type { JsonText } from '../rpc/json-text.ts'
import { storage as kept } from '../storage/storage.ts'
import type { CallContext } from './context.ts'

/** Handlers of `storage.*`: a call brings all that storage asks of its caller. */
export const storage: Handlers<'storage', CallContext, JsonText> = kept
