import { isUtf8 } from 'node:buffer'
import { type PlatformToolName, type platformTools, refuse, wrongArg } from '@svc/contract'
import type { z } from 'zod'
import { readAppFile } from '../../data/app-files/app-file.ts'
import { checkScope, spaceOf } from '../../data/storage/space.ts'
import { type StorageCaller, storage } from '../../data/storage/storage.ts'
import { isoOf } from '../../kernel/iso.ts'
import { isTextType } from '../../models/web/fetch.ts'
import type { WorkServices } from '../services.ts'
import type { PlatformCall } from './platform-tools.ts'

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
    return { utc: isoOf(now), unix_ms: now }
  },
  storage_get: (args, call) => storage.get(args, storageCaller(call)),
  storage_set: (args, call) => storage.set(args, storageCaller(call)),
  storage_list: (args, call) => storage.list(args, storageCaller(call)),
  storage_delete: (args, call) => storage.delete(args, storageCaller(call)),
  async files_read({ path, scope, offset }, { services, rights: { session, install } }) {
    checkScope(scope, install)
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

/** A part of a text, and where the next begins; offsets count characters as `.length` does. */
interface TextPart {
  readonly text: string
  readonly total_chars: number
  readonly next_offset: number | null
}

/** Reads a public URL as text from a character on. Errors: `invalid_arg`; the reason of `signal`. */
async function fetchText(
  { limits, publicFetch }: Pick<WorkServices, 'limits' | 'publicFetch'>,
  url: string,
  offset: number,
  signal: AbortSignal,
) {
  const options = { maxBytes: limits.WEB_FETCH_MAX_BYTES, signal }
  const { bytes, type } = await publicFetch.get(publicFetch.judge(url), options)
  if (!isTextType(type))
    throw wrongArg('url', `must lead to text, got ${type === '' ? 'no media type' : type}`)
  const whole = new TextDecoder().decode(bytes)
  return { url, type, ...partOf(whole, offset, limits.WEB_FETCH_TEXT_MAX_CHARS) }
}

/** The part of a text from a character on. */
export function partOf(whole: string, offset: number, maxChars: number): TextPart {
  const end = wholeLetters(whole, offset + maxChars)
  const next_offset = end < whole.length ? end : null
  return { text: whole.slice(offset, end), total_chars: whole.length, next_offset }
}

const BEYOND_ONE_UNIT = 0xffff

/** The place before `end` that parts no letter of two units: servers of models refuse half of one. */
const wholeLetters = (text: string, end: number) =>
  (text.codePointAt(end - 1) ?? 0) > BEYOND_ONE_UNIT ? end - 1 : end
