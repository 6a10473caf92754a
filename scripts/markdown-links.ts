import path from 'node:path'

/** A Markdown page, its path seen from the root of the repository. */
export interface Page {
  readonly file: string
  readonly text: string
}

/** Links to somewhere else than this repository: nobody asks the network. */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i
const LINK = /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*(\S+)/gm
const CODE = /^(```|~~~)[\s\S]*?^\1.*$|`[^`\n]*`/gm

/**
 * The links of a page that lead nowhere, one sentence each. `look` answers the text of a page, an empty text for
 * anything else that is there, and `null` for what is not.
 */
export function brokenLinks({ file, text }: Page, look: (file: string) => string | null): string[] {
  return linksOf(text).flatMap((link) => {
    const [target = '', heading] = decodeURI(link).split('#')
    const place = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
    const found = target === '' ? text : look(place)
    if (found === null) return [`${file}: ${link} names no file of this repository`]
    if (heading && place.endsWith('.md') && !headingsOf(found).has(heading))
      return [`${file}: ${link} names no heading of ${place}`]
    return []
  })
}

/** Every link and image that stays in the repository; what stands in code is no link. */
export const linksOf = (text: string): string[] =>
  [...text.replace(CODE, '').matchAll(LINK)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((link) => link !== '' && !ELSEWHERE.test(link))

/** The headings of a page as anchors, such as `write-an-app`. */
export const headingsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(
      ([, heading = '']) => headingSlug(heading),
    ),
  )

/** The anchor of a heading, as GitHub and the docs site make it. */
export const headingSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
