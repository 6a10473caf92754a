import { type BrowserFeature, browserFeatures } from '../../packages/contract/src/wire/browser-features.ts'
import { table } from './table.ts'

const BEGIN = '<!-- The rows of browserFeatures in packages/contract, by `npm run reference`. -->'
const END = '<!-- The end of the rows. -->'
const names = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'Safari' } as const

/** A page with the table of what apps have of the web platform between its two comments. Throws where it has none. */
export function withFeatures(page: string): string {
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  if (before === undefined || after === undefined) throw new Error(`a page has no ${BEGIN}`)
  const rows = Object.values<BrowserFeature>(browserFeatures).map(({ name, instead = '', notIn }) => [
    name.replaceAll(/<[^>]+>/g, '`$&`'),
    notIn ? `not in ${names[notIn]}` : instead === '' ? 'yes' : 'no',
    instead.replaceAll(/<[^>]+>|"[a-z_]+": (?:\[[^\]]*\]|\{[^}]*\})|\bsvc\.[\w.]+/g, '`$&`'),
  ])
  return `${before}${BEGIN}\n\n${table(['feature', 'works', 'what to use instead'], rows)}\n\n${END}${after}`
}
