/** Reads a body line by line as it comes; the last line needs no end. */
export async function eachLine(
  body: ReadableStream<Uint8Array> | null,
  take: (line: string) => void,
): Promise<void> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let line = ''
  for (;;) {
    const { done, value } = await reader.read()
    // Only what is new is searched, so that a long line is not read again with each piece of it.
    const [first = '', ...more] = decoder.decode(value, { stream: !done }).split('\n')
    line += first
    for (const next of more) {
      take(line)
      line = next
    }
    if (done) break
  }
  if (line !== '') take(line)
}
