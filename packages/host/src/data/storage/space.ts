import { createHash } from 'node:crypto'
import { refuse, wrongArg } from '@svc/contract'
import { type Collection, type Page, type ScanOptions, type Store, StoreError } from '@svc/state'
import type { InstallRow } from '../../catalog/records.ts'

/** Whose keys: of a user in an app, or what all users of the app share. */
export interface SpaceCaller {
  readonly userId: string
  readonly window: { readonly row: { readonly app_id: string } }
}

/** What can be asked for by `scope`. */
export type Scope = 'app' | 'shared'

/** The space that a call's keys live in. JSON keeps the parts apart, whatever they hold. */
export const spaceOf = (scope: Scope, { userId, window }: SpaceCaller): string =>
  JSON.stringify(scope === 'app' ? ['app', window.row.app_id, userId] : ['shared', window.row.app_id])

/** Whose space it is; `null`: what all users of an app share. */
export const userOfSpace = (space: string): string | null => JSON.parse(space)[2] ?? null

/** The id of the record of a key in a space. */
export const keyId = (space: string, key: string): string =>
  createHash('sha256').update(space).update('\0').update(wellFormed(key)).digest('base64url')

/** Text with every lone surrogate told apart: UTF-8 would fold them all into one. */
const wellFormed = (key: string) => (key.isWellFormed() ? key : JSON.stringify(key))

/** Checks a scope against the grants of the install. Errors: `permission_denied`. */
export function checkScope(scope: Scope, { grants }: Pick<InstallRow, 'grants'>): void {
  if (scope === 'shared' && !grants.allowed_scopes?.includes('shared'))
    throw refuse('permission_denied', 'the scope "shared" is not granted to this app', {
      denied_by: 'grant',
      hint: 'Install the app with allowed_scopes: ["shared"].',
    })
}

/** A page of a list that a caller reads on with its cursor. Errors: `invalid_arg` for a cursor of another list. */
export async function readPage<Row, Index extends string>(
  store: Store,
  collection: Collection<Row, Index>,
  index: NoInfer<Index>,
  options: ScanOptions,
): Promise<Page<Row>> {
  try {
    return await store.scan(collection, index, options)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'bad_cursor')
      throw wrongArg('cursor', 'must be a next_cursor of this list')
    throw error
  }
}

/** A page of what lies in a space, in the order of keys. Errors: `invalid_arg` for a cursor of another list. */
export const scanSpace = <Row>(
  store: Store,
  collection: Collection<Row, 'live'>,
  space: string,
  {
    prefix,
    after,
    limit,
  }: { readonly prefix: string | undefined; readonly after: string | null; readonly limit: number },
): Promise<Page<Row>> =>
  readPage(store, collection, 'live', {
    eq: [space],
    ...(prefix !== undefined && { prefix }),
    after,
    limit,
  })
