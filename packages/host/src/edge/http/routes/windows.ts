import { webHead } from '../fetch-front.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** Opening, listing, renewing and closing windows. */
export function windowHandlers({
  services: { apps, windows },
  guard,
}: RouteParts): HandlersOf<
  'windows.open' | 'windows.list' | 'windows.renew' | 'windows.agree' | 'windows.close'
> {
  return {
    async 'windows.open'({ raw, userId, body }) {
      const empty = guard.opening(webHead(raw))
      if (empty) throw empty
      const { app_id, view, payload } = await body()
      const request = {
        app_id,
        ...(view !== undefined && { view }),
        ...(payload !== undefined && { payload }),
      }
      const opened = await windows.open(userId, request)
      return { ...opened, entry_url: guard.entryUrl(webHead(raw), app_id, opened.entry_url) }
    },
    async 'windows.list'({ raw, userId }) {
      const head = webHead(raw)
      const listed = await windows.list(userId)
      return {
        windows: listed.map((one) => ({
          ...one,
          entry_url: guard.entryUrl(head, one.app_id, one.entry_url),
        })),
      }
    },
    async 'windows.renew'({ userId, params, body }) {
      const { attach } = await body()
      return windows.token(userId, params.window_uuid, attach)
    },
    async 'windows.agree'({ userId, params, body }) {
      await apps.agree(userId, params.window_uuid, await body())
      return {}
    },
    async 'windows.close'({ userId, params, query }) {
      await windows.close(userId, params.window_uuid, query.reason ?? null, query.attached)
      return {}
    },
  }
}
