import type { Svc } from './svc.ts'

/**
 * Gives a document the look of the page, now and whenever it changes: `color-scheme` and `data-theme`, the language,
 * and the CSS variables that the page gives (`@svc/contract/theme`). Until the page tells, the system decides on light
 * or dark. `@svc/sdk/theme.css` uses all of it.
 *
 * @param root the element that gets them; by default the root of the document.
 * @returns how to stop; the document keeps the look that it has.
 * @example
 * ```ts
 * import { svc } from '@svc/sdk'
 * import { followTheme } from '@svc/sdk/theme'
 * followTheme(svc)
 * ```
 * @source docs/decisions/0134-the-theme-of-a-page.md
 */
export function followTheme(svc: Pick<Svc, 'context' | 'on'>, root = document.documentElement): () => void {
  let given: readonly string[] = []

  function follow({ theme, locale, styles }: NonNullable<Svc['context']>): void {
    root.dataset.theme = theme
    root.style.colorScheme = theme
    if (locale) root.lang = locale
    // A name that is no variable would change the document itself.
    const variables = Object.entries(styles?.variables ?? {}).filter(([name]) => name.startsWith('--'))
    const names = variables.map(([name]) => name)
    for (const name of given) if (!names.includes(name)) root.style.removeProperty(name)
    for (const [name, value] of variables) root.style.setProperty(name, value)
    given = names
  }

  if (svc.context) follow(svc.context)
  return svc.on('context', follow)
}
