import type { MarkdownRenderer } from 'vitepress'

/** Makes a header cell of a table that says nothing a plain cell: readers of screens would announce a header. */
export function useEmptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push('svc-empty-headers', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const [text, end] = [tokens[at + 1], tokens[at + 2]]
      if (token.type !== 'th_open' || text?.content !== '' || !end) continue
      token.tag = 'td'
      end.tag = 'td'
    }
  })
}
