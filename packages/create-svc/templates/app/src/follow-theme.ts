import { svc } from '@svc/sdk'

/** Takes on the page's light or dark look, now and whenever it changes; until the page told, the system's. */
export function followTheme(): void {
  svc.on('context', ({ theme, locale }) => {
    document.documentElement.dataset.theme = theme
    if (locale) document.documentElement.lang = locale
  })
}
