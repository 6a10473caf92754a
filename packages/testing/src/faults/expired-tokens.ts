import type { Host } from '@svc/host'

/** Makes a token for each window that the user has open: by the id of the window. */
export async function mintTokens(host: Host, user: string): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>()
  for (const { window_uuid } of await host.windows.list(user))
    tokens.set(window_uuid, (await host.windows.token(user, window_uuid)).token)
  return tokens
}
