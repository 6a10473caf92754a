import { paths } from '../../kernel/request/paths.ts'
import type { FileOwner } from './file-row.ts'

/** What of a call says whose files it means. */
interface Call {
  readonly userId: string
  readonly window: { readonly row: { readonly app_id: string } }
}

/** Whose the files of a call are. */
export const ownerOf = ({ userId, window }: Call): FileOwner => ({ userId, appId: window.row.app_id })

/** The public URL of a file. */
export const fileUrl = ({ origin }: { readonly origin: string }, fileRef: string): string =>
  `${origin}${paths.files}${fileRef}`
