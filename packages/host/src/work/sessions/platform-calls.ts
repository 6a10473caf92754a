import { isUtf8 } from 'node:buffer'
import { type PlatformToolName, type platformTools, refuse } from '@svc/contract'
import type { z } from 'zod'
import { readAppFile } from '../../data/app-files/read.ts'
import { holdScope, spaceOf } from '../../data/storage/scope.ts'
import { storage } from '../../data/storage/storage.ts'
import type { StorageCaller } from '../../data/storage/storage-caller.ts'
import { fetchText, partOf } from './fetch-text.ts'
import type { PlatformCall } from './platform-tool.ts'

type Calls = {
  readonly [Name in PlatformToolName]: (
    args: z.output<(typeof platformTools)[Name]['args']>,
    call: PlatformCall,
  ) => unknown
}

/** How each platform tool is done. Storage keeps to the rules of `storage.*`, in the same space. */
export const platformCalls: Calls = {
  time_now(_args, { services }) {
    const now = services.clock.now()
    return { utc: new Date(now).toISOString(), unix_ms: now }
  },
  storage_get: (args, call) => storage.get(args, storageCaller(call)),
  storage_set: (args, call) => storage.set(args, storageCaller(call)),
  storage_list: (args, call) => storage.list(args, storageCaller(call)),
  storage_delete: (args, call) => storage.delete(args, storageCaller(call)),
  async files_read({ path, scope, offset }, { services, rights: { session, install } }) {
    holdScope(scope, install)
    const { user_id: userId, app_id } = session.row
    const { live, bytes } = await readAppFile(
      services,
      spaceOf(scope, { userId, window: { row: { app_id } } }),
      path,
    )
    if (!isUtf8(bytes))
      throw refuse('invalid_arg', `the file ${JSON.stringify(path)} is not text in UTF-8, but ${live.mime}`)
    return {
      path,
      mime: live.mime,
      ...partOf(bytes.toString(), offset, services.limits.WEB_FETCH_TEXT_MAX_CHARS),
    }
  },
  async web_fetch({ url, offset }, { services, signal, rights: { session } }) {
    const { user_id: userId, app_id: appId } = session.row
    services.publicFetch.judge(url)
    await services.quotas.charge({ userId, appId, counted: 'fetches', tokens: 0 })
    return fetchText(services, url, offset, signal)
  },
}

/** The storage of the session's window and app: what a bundle in that window would read. */
function storageCaller({ services, rights }: PlatformCall): StorageCaller {
  const { session, install, window } = rights
  const { user_id: userId, app_id } = session.row
  if (!window && services.settings.storage === 'window-state')
    throw refuse('not_found', 'this session has no window, and storage is kept in windows here')
  return { services, userId, install, window: window ?? { id: '', row: { app_id } } }
}
