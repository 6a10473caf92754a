import { type TestFunction, type TestOptions, test } from 'vitest'
import type { RequirementId } from './requirements.ts'

export { cites } from './cites.ts'

type Ids = RequirementId | readonly RequirementId[]

interface Verify {
  (ids: Ids, name: string, fn: TestFunction, timeoutMs?: number): void
  (ids: Ids, name: string, options: TestOptions, fn: TestFunction): void
}

type AnyTest = (name: string, ...rest: unknown[]) => void

/** The ids stand behind the name, so that a red test says what no longer holds. */
const citing = (run: AnyTest, ids: Ids, [name, ...rest]: readonly unknown[]) =>
  run(`${name} [${[ids].flat().join(' ')}]`, ...rest)

const verify: Verify = (ids: Ids, ...test_: readonly unknown[]) => citing(test as AnyTest, ids, test_)

const fails: Verify = (ids: Ids, ...test_: readonly unknown[]) => citing(test.fails as AnyTest, ids, test_)

const each = (ids: Ids) =>
  ((table: readonly unknown[]) =>
    (...test_: readonly unknown[]) =>
      citing(test.each(table) as AnyTest, ids, test_)) as typeof test.each

/**
 * A test that proves requirements: `verifies('window.close.status', 'closes the window', async () => { … })`.
 *
 * The gate reads the ids from the source, so they are literals; all else is vitest's `test`.
 *
 * - `verifies.each(ids)(table)(name, fn)` is `test.each`.
 * - `verifies.fails(ids, name, fn)` lists a known failure of a pending requirement; it turns red when it passes.
 */
export const verifies = Object.assign(verify, { each, fails })
