import type { BrowserPermission } from '@svc/contract'
import { digestOf } from '@svc/state'
import type { Pieces } from '../data/app-files/pieces.ts'
import { prelude } from './prelude.ts'

/** So much of a file is looked at for its doctype. */
const HEAD_BYTES = 4_096
/** A tag that is renamed is never longer than this. */
const TAG_BYTES = 16
const BOM = Buffer.from('\ufeff')
/** What may stand before a doctype, and the doctype: to its first `>`, as a browser reads it. An escape in it could hide what follows. */
const DOCTYPE = /^(?:\s|<!--(?:[^-]|-(?!->))*-->)*(<!doctype[\s!-=?-~]*>)/i
const FRAMES = /<(?:iframe|frame|object|embed|fencedframe|portal)(?=[\s/>]|$)/gi
const version = digestOf(Buffer.from(prelude)).slice(0, 16)

/**
 * What stands between the prelude and the file. The prelude writes the beginning of a comment before it, so that it ends
 * at `-->`. Without that, all that follows is the plain text of a hidden element, and nothing of it runs. Browsers that
 * look ahead for files to load take the tags for the text of a style, and see those of the file.
 */
const GATE = `<svg><style><b>This app was not started: something between this page and its host changed its document.</b><plaintext hidden></style>-->`

/** The window that a document is for, what its app may ask of the browser, and the policy that it carries in itself. */
export interface DocumentWindow {
  readonly windowUuid: string
  readonly browser: readonly BrowserPermission[]
  readonly policy: string
}

/**
 * An HTML file as it is served: its policy and the prelude before its first byte, and tags that make frames renamed, letter for
 * letter (`<iframe` is `<xframe`), so that the file's bytes keep their places. What comes first is read first, whatever
 * the file holds. The doctype is said again before the prelude, because it counts only there. The prelude gets the window
 * that the document is for.
 */
export async function documentPieces(
  file: Pieces,
  { windowUuid, browser, policy }: DocumentWindow,
): Promise<Pieces | null> {
  const first = await file.slice(0, HEAD_BYTES)
  if (!first) return null
  const head = Buffer.from(first)
  const skipped = head.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const doctype = DOCTYPE.exec(head.toString('latin1', skipped))?.[1] ?? ''
  const may = browser.length > 0 ? ` data-may="${browser.join(' ')}"` : ''
  const meta = `<meta http-equiv="content-security-policy" content="${policy.replaceAll('"', '&quot;')}">`
  const tag = `<script data-window="${windowUuid}"${may}>`
  const before = Buffer.from(`${doctype}${meta}${tag}${prelude}</script>${GATE}`, 'latin1')
  const start = before.length - skipped
  return {
    size: start + file.size,
    etag: file.etag && `${file.etag.slice(0, -1)}-${version}"`,
    async slice(from, to) {
      const made = before.subarray(from, to)
      if (to <= before.length) return made
      const rest = await renamed(file, Math.max(from, before.length) - start, to - start)
      return rest && Buffer.concat([made, rest])
    },
  }
}

/** A part of a file with its tags renamed, those also that begin before it or end behind it. */
async function renamed(file: Pieces, from: number, to: number): Promise<Buffer | null> {
  const early = Math.max(0, from - TAG_BYTES)
  const bytes = await file.slice(early, Math.min(file.size, to + TAG_BYTES))
  if (!bytes) return null
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(FRAMES, (tag) => `<x${tag.slice(2)}`)
  return Buffer.from(text, 'latin1').subarray(from - early, to - early)
}
