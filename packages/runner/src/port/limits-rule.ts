import { limits } from '@svc/contract/limits'
import { object, type Rule, whole } from '@svc/node/options'

const count = whole(0)

/** Limits that differ from the defaults. */
export const limitsRule: Rule = object(Object.fromEntries(Object.keys(limits).map((name) => [name, count])))
