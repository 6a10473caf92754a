import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const LINK = /\s(?:href|src)="([^"]*)"/g
const ID = /\sid="([^"]*)"/g
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * The links of a built site that lead nowhere, one sentence each: to pages, to anchors in pages, and to files.
 *
 * @param dir the folder of the site, which is served under `base`
 */
export function deadLinks(dir: string, base: string): string[] {
  const files = new Set(globSync('**/*.*', { cwd: dir }).map((file) => file.replaceAll(path.sep, '/')))
  const pages = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(path.join(dir, file), 'utf8')]),
  )
  const anchors = new Map([...pages].map(([file, text]) => [file, new Set(found(text, ID))]))
  return [...pages].flatMap(([page, text]) => {
    const links = new Set(found(text, LINK).filter((link) => link !== '' && !ELSEWHERE.test(link)))
    return [...links].flatMap((link) => {
      const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${base}${page}`)
      const place = decodeURI(pathname)
      if (!place.startsWith(base)) return [`${page}: ${link} leaves the site`]
      const asked = place.slice(base.length)
      const file = asked === '' || asked.endsWith('/') ? `${asked}index.html` : asked
      if (!files.has(file)) return [`${page}: ${link} names nothing`]
      const anchor = decodeURIComponent(hash.slice(1))
      return anchor !== '' && !anchors.get(file)?.has(anchor) ? [`${page}: ${link} names no heading`] : []
    })
  })
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one)
