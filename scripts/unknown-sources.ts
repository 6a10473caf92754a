import type { Page } from './markdown-links.ts'

/** Where the numbered chapters are explained, and the rows whose `section` names one. */
const EXPLAINED = /^(docs\/decisions\/README\.md|packages\/conformance\/src\/requirements\/.*)$/

/** Chapters, outlines and rulings by their numbers. A comment may break in between. */
const SOURCE = /\b(?:spec|design)(?:\s|\*|\/\/)+§\s*\d[\d.]*|\bdecisions?(?:\s|\*|\/\/)+\d+[a-z]?\b/gi

/** One sentence for each mention of a document that this repository does not hold. */
export function unknownSources({ file, text }: Page): string[] {
  if (EXPLAINED.test(file)) return []
  return Array.from(text.matchAll(SOURCE), ({ 0: source, index }) => {
    const line = text.slice(0, index).split('\n').length
    const named = source.replaceAll(/[\s*/]+/g, ' ')
    return `${file}:${line}: "${named}" is in no file here; cite a requirement id or a file of docs/decisions`
  })
}
