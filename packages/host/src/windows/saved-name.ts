/** Characters that a file may not be called by in some system, or that hide how a name ends. */
const odd = /[\p{Cc}\p{Zl}\p{Zp}/\\:*?"<>|]/gu
const unseen = /\p{Cf}/gu
/** Names that Windows keeps for devices, with any ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * The name that a browser saves a file of an app under: one that every system takes, and that ends as it seems to. It never
 * begins or ends with a dot, and spaces do not push its ending out of sight.
 */
export function savedName(name: string): string {
  const plain = name.toWellFormed().replaceAll(unseen, '').replaceAll(odd, '_').replaceAll(/\s+/g, ' ')
  const bare = plain.replace(/^[. ]+/, '').replace(/(?<![. ])[. ]+$/, '')
  return bare.replace(device, '_$&') || 'download'
}
