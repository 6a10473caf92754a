import path from 'node:path'
import type { DefaultTheme, MarkdownEnv, MarkdownRenderer, UserConfig } from 'vitepress'
import { useEmptyHeaders } from '../../scripts/docs/empty-headers.ts'
import { documented } from '../../scripts/docs/entries.ts'
import { about, type Entry, readers, reference } from '../../scripts/docs/guides.ts'
import { hidden, pageOf } from '../../scripts/docs/pages.ts'
import { useSiteLinks } from '../../scripts/docs/site-links.ts'
import { headingSlug } from '../../scripts/markdown-links.ts'

/** What `npm run docs` says; it is started in the root of the repository. */
const root = process.cwd()
const repository = process.env.SVC_DOCS_REPOSITORY ?? null
const version = process.env.SVC_DOCS_VERSION ?? 'next'
const versions = process.env.SVC_DOCS_VERSIONS ?? null

const menu = (pages: readonly Entry[]) => pages.map(([text, page]) => ({ text, link: `/${page}` }))
const api = documented.map(([, name]): Entry => [name, `api/${name.replace('@svc/', '')}`])
const doors = readers.map(({ name, pages: [first] }) => ({ text: name, link: `/${first[1]}` }))

const referenceMenu = [
  { text: 'Reference', items: menu(reference) },
  { text: 'Packages', items: menu(api) },
]

/** What the menu of versions reads, beside what the theme knows. */
export interface SiteTheme extends DefaultTheme.Config {
  readonly version: string
  readonly versions: string | null
}

/** Code is not searched: to highlight it once more would take half of the time of a build. */
const searched = (text: string, env: MarkdownEnv, md: Pick<MarkdownRenderer, 'render'>): string =>
  md.render(text.replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, ''), env)

const config: UserConfig<SiteTheme> = {
  srcDir: '..',
  srcExclude: [...hidden],
  rewrites: (file) => pageOf(file) ?? file,
  cacheDir: path.join(root, 'node_modules/.cache/vitepress'),
  lang: 'en',
  title: 'svc',
  description: 'svc runs small apps inside a web page, whoever wrote them, and keeps them isolated.',
  // Names with an ending are found by every static server; what a page links to is loaded when it is opened.
  cleanUrls: false,
  router: { prefetchLinks: false },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingSlug },
    config: (md) => {
      useSiteLinks(md, root, repository)
      useEmptyHeaders(md)
    },
  },
  themeConfig: {
    version,
    versions,
    nav: [
      { text: 'Guides', items: doors },
      { text: 'Reference', link: '/reference/methods' },
      { text: 'Packages', link: '/api/sdk' },
      { component: 'VersionMenu' },
    ],
    sidebar: {
      '/reference/': referenceMenu,
      '/api/': referenceMenu,
      '/': [
        ...readers.map(({ name, pages }) => ({ text: name, items: menu(pages) })),
        { text: 'About svc', items: menu(about) },
      ],
    },
    outline: [2, 3],
    notFound: { linkLabel: 'Take me home' },
    search: { provider: 'local', options: { _render: searched } },
    ...(repository && { editLink: { pattern: `${repository}/edit/HEAD/:path` } }),
  },
}

export default config
