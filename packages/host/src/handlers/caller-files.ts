import { paths } from '../http/paths.ts'
import type { FileOwner } from '../uploads/file-row.ts'
import type { CallContext } from './context.ts'

/** Whose the files of a call are. */
export const ownerOf = ({ userId, window }: CallContext): FileOwner => ({ userId, appId: window.row.app_id })

/** The public URL of a file. */
export const fileUrl = ({ origin }: Pick<CallContext, 'origin'>, fileRef: string): string =>
  `${origin}${paths.files}${fileRef}`
