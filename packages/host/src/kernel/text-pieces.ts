/** Cuts a text so that no piece has more than `max` characters, and none parts a letter of two; most are one piece. */
export function* piecesOf(text: string, max: number): Generator<string> {
  if (text.length <= max) {
    if (text !== '') yield text
    return
  }
  for (let from = 0; from < text.length; ) {
    const isSplitPair = (text.codePointAt(from + max - 1) ?? 0) > 0xffff
    const to = from + max - (isSplitPair ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}
