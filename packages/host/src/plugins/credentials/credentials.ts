import type { Methods, ResultOf } from '@svc/contract'

/** The status of a credential of a user. */
export type CredentialStatus = ResultOf<Methods['credentials']['status']>['status']

/**
 * Where credentials of users are kept: `createHost({ credentials })`. It gets names and never returns a value; each
 * answer has `CREDENTIALS_MS`.
 */
export interface Credentials {
  /** The status of the credential of a user. */
  status(userId: string, name: string): CredentialStatus | Promise<CredentialStatus>
  /** Notes that an app asks the user for it, and returns its status after that. Twice is harmless. */
  request(
    userId: string,
    name: string,
    by: { readonly appId: string },
  ): CredentialStatus | Promise<CredentialStatus>
}
