import { hash } from 'node:crypto'
import type { CompletionArgs } from '@svc/contract'
import { canonicalJson } from '../apps/canonical.ts'
import type { RunArgs } from './runs.ts'

const sha256 = (text: string) => hash('sha256', text)

/** SHA-256 of the canonical arguments of a run without its `run_id` (decision 21). Images count by their own hash. */
export function fingerprintOf({ run_id: _id, attachments, ...args }: RunArgs): string {
  const images = attachments?.map(({ data, ...image }) => ({
    ...image,
    ...(data !== undefined && { data: sha256(data) }),
  }))
  return sha256(canonicalJson({ ...args, ...(images && { attachments: images }) }))
}

/** The same of a stream of `llm.stream`. */
export const fingerprintOfStream = (args: CompletionArgs): string => sha256(canonicalJson(args))
