import { collection, each, eachSettled, type Store } from '@svc/state'
import type { Copies } from './copies.ts'

/** What a user gave a variable of a plugin. */
export interface GivenValue {
  readonly value: string
  /** Whether it was a secret when it was given: it never comes back out, whatever the variable is later. */
  readonly secret: boolean
}

/** What a user gave the variables of a plugin. The record's id is `plugValuesId(user, plugin)`. */
export interface PlugValuesRow {
  readonly user_id: string
  readonly tool_id: string
  readonly values: Readonly<Record<string, GivenValue>>
  /** Unix ms. */
  readonly updated_at: number
}

export const plugValues = collection({
  name: 'plug_values',
  row: {} as PlugValuesRow,
  indexes: {
    byUser: (row) => [row.user_id, row.tool_id],
    byPlug: (row) => [row.tool_id, row.user_id],
  },
})

/** One record a user and plugin. */
export const plugValuesId = (userId: string, toolId: string): string => JSON.stringify([userId, toolId])

/** The row as its user may have it: without secrets. */
export const withoutSecretValues = ({ values, ...row }: PlugValuesRow): object => ({
  ...row,
  values: Object.fromEntries(
    Object.entries(values).map(([name, { value, secret }]) => [name, secret ? null : value]),
  ),
})

/** Forgets what all users gave a plugin that is gone. */
export async function forgetValues(
  { copies, store }: { readonly copies: Copies; readonly store: Store },
  toolId: string,
): Promise<void> {
  await eachSettled(each(store, plugValues, 'byPlug', { eq: [toolId] }), async ({ id, revision }) => {
    await store.remove(plugValues, id, revision)
    copies.plugValues.drop(id)
  })
}
