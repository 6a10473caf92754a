import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** A file of the page, as `createHost({ page })` wants it. */
interface PageFile {
  readonly bytes: Uint8Array
  readonly type: string
}

/** Content type by file ending. A kind of file that the page comes to use is a new row. */
const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
])

/**
 * Answers the files of a folder as the host's page: `/` is `index.html`; `null` for what is not there, has no
 * known ending, or would leave the folder.
 */
export function pageFrom(folder: string): (pathname: string) => Promise<PageFile | null> {
  const root = path.resolve(folder)
  return async (pathname) => {
    const name = pathname === '/' ? 'index.html' : decode(pathname)
    const type = types.get(path.extname(name ?? ''))
    if (name === null || type === undefined) return null
    const file = path.resolve(root, `.${path.posix.sep}${name}`)
    if (!file.startsWith(root + path.sep)) return null
    const bytes = await readFile(file).catch(() => null)
    return bytes && { bytes, type }
  }
}

/** The path as it is meant; `null` where it is not one (a broken escape, NUL, a backslash). */
function decode(pathname: string): string | null {
  try {
    const name = decodeURIComponent(pathname)
    return /[\0\\]/.test(name) ? null : name
  } catch {
    return null
  }
}
