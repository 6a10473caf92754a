import { limits } from '@svc/contract'
import type { Host } from '@svc/host'

/** How long ago a token was made that has expired by now, in ms. */
export const EXPIRED_MS = limits.WINDOW_TOKEN_TTL_MS + limits.TOKEN_SKEW_MS + 1_000

/** Makes a token for each window that the user has open: by the id of the window. */
export async function mintTokens(host: Host, user: string): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>()
  for (const { window_uuid } of await host.windows.list(user))
    tokens.set(window_uuid, (await host.windows.token(user, window_uuid)).token)
  return tokens
}
