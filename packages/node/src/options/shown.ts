const SHOWN_CHARS = 60

/** A value as an error names it: no more of an object than that it is one, and no password of a URL. */
export function shown(value: unknown): string {
  if (typeof value !== 'string')
    return value === null || /^[nb]/.test(typeof value) ? String(value) : kindOf(value)
  const open = withoutPassword(value)
  return JSON.stringify(open.length > SHOWN_CHARS ? `${open.slice(0, SHOWN_CHARS)}…` : open)
}

/** What a value is, without it. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return `${value.length} characters`
  if (Array.isArray(value)) return 'a list'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

/** A URL without its user and password: one that cannot be read may have them anywhere before an `@`, behind a colon. */
function withoutPassword(text: string): string {
  const at = text.lastIndexOf('@')
  const [scheme] = /^[a-z+]+:\/\//i.exec(text) ?? []
  const hidden = scheme ?? (text.slice(0, text.indexOf('@') + 1).includes(':') ? '' : undefined)
  const shown = at === -1 || hidden === undefined ? text : `${hidden}…${text.slice(at)}`
  return shown.replaceAll(/(password=)[^&]*/gi, '$1…')
}
