/**
 * The base that Vite has for an app, until a file is served: the folder of its bundle is named by a digest, which
 * changes with its manifest.
 */
export const BASE = '/__svc_base__/'

/** Types that are text, in which the base may be. */
const TEXT = /^(text\/|application\/(json|javascript)|image\/svg\+xml)/

/** A file of Vite with the folder that it is served from in place of the base. */
export function inFolder(type: string, bytes: Uint8Array, folder: string): Uint8Array {
  if (!TEXT.test(type)) return bytes
  const text = Buffer.from(bytes).toString()
  return text.includes(BASE) ? Buffer.from(text.replaceAll(BASE, () => folder)) : bytes
}
