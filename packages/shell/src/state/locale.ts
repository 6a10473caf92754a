/**
 * Returns the first language of a browser that is one: WebKitGTK lists `C` where its user has set none, and `Intl` throws
 * at that. Default `en`.
 */
export function localeOf(languages: readonly string[]): string {
  return languages.find(isLanguage) ?? 'en'
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
