import { browser } from './browser-table.ts'
import { fixed } from './fixed/index.ts'
import { host } from './host/index.ts'

/**
 * Every number of the product, each with its unit in its name and a sentence on what it does, for the reference.
 * They are grouped by who may change them: the operator (`host`), or nobody, as they are built into clients (`browser`)
 * or are the same on every host (`fixed`).
 *
 * KB and MiB are powers of 1 024.
 */
export const limits = { ...host, ...browser, ...fixed } as const

/** The table of limits with its values widened. */
export type Limits = { readonly [Name in keyof typeof limits]: number }

/** What `createHost({ limits })` takes. */
export type HostLimits = Pick<Limits, keyof typeof host>

/** The names of the limits that `createHost({ limits })` may override. */
export const hostLimits = Object.keys(host) as readonly (keyof HostLimits)[]
