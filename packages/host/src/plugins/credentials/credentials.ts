import type { Methods, ResultOf } from '@svc/contract'

/** How a credential of a user stands. */
export type CredentialStatus = ResultOf<Methods['credentials']['status']>['status']

/**
 * Where credentials of users are kept: `createHost({ credentials })`. It is told names and never gives a value; each
 * answer has `CREDENTIALS_MS`.
 */
export interface Credentials {
  /** How the credential of a user stands. */
  status(userId: string, name: string): CredentialStatus | Promise<CredentialStatus>
  /** Notes that an app asks the user for it, and answers how it stands then. Twice is harmless. */
  request(
    userId: string,
    name: string,
    by: { readonly appId: string },
  ): CredentialStatus | Promise<CredentialStatus>
}
