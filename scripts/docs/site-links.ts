import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { pageOf } from './pages.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Links that leave the repository, and those within a page. */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/|#)/i

/**
 * Returns where a link of a page leads on the site, or null where the site has nothing for it. A link is as it is in the
 * repository: a page of the site, a folder that has one, or a file, which only the repository shows.
 *
 * @param file the file that has the link, seen from the root of the repository
 * @param repository the address of the repository on the web, where it has one
 */
export function siteLink(file: string, link: string, repository: string | null): string | null {
  if (ELSEWHERE.test(link)) return link
  const [target = '', anchor] = link.split('#')
  const place = path.posix.join(path.posix.dirname(file), decodeURI(target)).replace(/\/$/, '')
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const page = pageOf(isFolder ? `${place}/README.md` : place)
  const isPage = page !== null && existsSync(isFolder ? `${place}/README.md` : place)
  if (isPage) return `/${page}${anchor === undefined ? '' : `#${anchor}`}`
  return repository && `${repository}/${isFolder ? 'tree' : 'blob'}/HEAD/${place}`
}

/** Lets the links of pages lead where `siteLink` says; where that is nowhere, the text of the link stays as text. */
export function useSiteLinks(md: MarkdownRenderer, root: string, repository: string | null): void {
  md.core.ruler.push('svc-links', ({ tokens, env }) => {
    // What a page has in its head matter is rendered too, and belongs to no file.
    if (!env.path) return
    const file = path.posix.relative(root, env.realPath ?? env.path)
    for (const token of tokens) if (token.children) token.children = led(token.children, file, repository)
  })
}

function led(tokens: readonly Token[], file: string, repository: string | null): Token[] {
  let leads = true
  return tokens.filter((token) => {
    if (token.type === 'link_close') return leads
    if (token.type !== 'link_open') return true
    const href = siteLink(file, String(token.attrGet('href')), repository)
    leads = href !== null
    if (href !== null) token.attrSet('href', href)
    return leads
  })
}
