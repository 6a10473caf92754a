import { BridgeError } from '@svc/bridge'
import { type FieldName, fieldOf, withLabels } from './field.ts'
import { newsOf } from './tell.ts'

/** Why something was not done, and the field that it speaks of. */
export interface Trouble {
  readonly code: string
  /** With what can be done about it. */
  readonly sentence: string
  readonly field: FieldName
}

/** A refusal, or whatever was thrown, beside its field. */
export function troubleOf(error: unknown): Trouble {
  const { code, sentence, hint } = newsOf(error, 'manage')
  return {
    code,
    sentence: withLabels(hint === null ? sentence : `${sentence.replace(/\.$/, '')}. ${hint}`),
    field: fieldOf(error instanceof BridgeError ? error.details.path : undefined),
  }
}
