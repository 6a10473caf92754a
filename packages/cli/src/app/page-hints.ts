import type { Manifest } from '@svc/contract'
import type { Finding } from './lint.ts'

/** Says that pages of a bundle beside its entry are served to no frame, where the manifest does not say `multi_page`. */
export function pageHints({ ui }: Pick<Manifest, 'ui'>, paths: Iterable<string>): Finding[] {
  const { entry, multi_page } = ui.bundle
  const others = [...paths].filter((path) => /\.html$/i.test(path) && path !== entry)
  if (multi_page || others.length === 0) return []
  const named = others.length === 1 ? `${others[0]} is a page` : `${others.join(', ')} are pages`
  return [
    {
      level: 'hint',
      where: 'manifest.json ui.bundle.multi_page',
      problem: `${named} beside the entry, and a link to one gets 403`,
      hint: 'Set it to true if the app navigates between pages; a page that a script only fetches does not need it.',
    },
  ]
}
