/** A text as it is compared: without case and accents. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toUpperCase()
    .toLowerCase()

/** Returns what tells whether each word of a search is in one of some texts. A search without a word finds everything. */
export function openSearch(search: string | undefined): (texts: readonly string[]) => boolean {
  const words = fold(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return () => true
  return (texts) => {
    const folded = fold(texts.join('\n'))
    return words.every((word) => folded.includes(word))
  }
}
