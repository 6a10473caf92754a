import { type Collection, type EachOptions, each, type Store, type StoreRecord } from '@svc/state'

/** Whose jobs or sessions: those of a user in one app, or over all apps, which is for the user's page alone. */
export interface WorkOwner {
  readonly userId: string
  readonly appId?: string
}

/** Whether a row is of this owner. */
export const isOwn = (
  { user_id, app_id }: { readonly user_id: string; readonly app_id: string },
  { userId, appId }: WorkOwner,
): boolean => user_id === userId && (appId === undefined || app_id === appId)

/** Every record of an owner, by the index of users or that of their apps. */
export const eachOwned = <Row, Index extends string>(
  store: Pick<Store, 'scan'>,
  collection: Collection<Row, Index>,
  [byUser, byApp]: readonly [NoInfer<Index>, NoInfer<Index>],
  { userId, appId }: WorkOwner,
  options: Omit<EachOptions, 'eq'>,
): AsyncIterable<StoreRecord<Row>> =>
  appId === undefined
    ? each(store, collection, byUser, { ...options, eq: [userId] })
    : each(store, collection, byApp, { ...options, eq: [userId, appId] })
