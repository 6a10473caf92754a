import type { Page } from './markdown-links.ts'

/** What stands between two words of a text; a comment may break there. */
const GAP = String.raw`(?:\s|\*|\/\/)+`
/** Chapters, outlines and rulings by their numbers or catchwords, and chapters alone; not those of public standards. */
const PAPER = new RegExp(
  [
    String.raw`\b(?:spec|specification|design)${GAP}(?:§|section|chapter)\s*\d[\d.]*`,
    String.raw`\bdecisions?${GAP}\d+[a-z]?\b`,
    String.raw`\bdecisions,${GAP}\w+\b(?=\))`,
    String.raw`(?<!\b(?:RFC \d+|semver\.org) )§\s*\d[\d.]*`,
    String.raw`(?<=\s)\([1-9]\.\d{1,2}\)`,
  ].join('|'),
  'gi',
)
/** The file name of a ruling, and a page: by its path in the repository. */
const RULING = /\b0\d{3}(?:-[a-z]+)+\b/g
const ADVICE = 'cite a requirement id or a file of docs/decisions'

/** One sentence for each mention of a document that this repository does not hold. `isThere` says so of a path. */
export function unknownSources({ file, text }: Page, isThere: (path: string) => boolean): string[] {
  const papers = [...text.matchAll(PAPER)]
  const rulings = [...text.matchAll(RULING)].filter(([name]) => !isThere(pathOf(name)))
  return [...papers, ...rulings].map(({ 0: source, index }) => {
    const line = text.slice(0, index).split('\n').length
    const named = source.replaceAll(/[\s*/]+/g, ' ')
    return `${file}:${line}: "${named}" is in no file here; ${ADVICE}`
  })
}

/** One sentence for each source of a requirement that is neither a ruling nor a page here. */
export function missingSources(
  rows: readonly { readonly id: string; readonly source: string }[],
  isThere: (path: string) => boolean,
): string[] {
  return rows
    .filter(({ source }) => !isThere(pathOf(source)))
    .map(({ id, source }) => `the requirement ${id}: "${source}" is neither a ruling nor a page here`)
}

const pathOf = (source: string) => (/^\d{4}-/.test(source) ? `docs/decisions/${source}.md` : source)
