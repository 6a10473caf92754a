import { dialects } from '../../packages/host/src/testing/dialects/dialects.ts'
import { table } from './table.ts'

const BEGIN = '<!-- The rows of packages/host/src/testing/dialects, by `npm run reference`. -->'
const END = '<!-- The end of the rows. -->'

/** A page with the tables of what servers of models do between its two comments. Throws where it has none. */
export function withDialects(page: string): string {
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  if (before === undefined || after === undefined) throw new Error(`a page has no ${BEGIN}`)
  const tables = Object.entries(dialects).map(
    ([about, rows]) =>
      `### ${about}\n\n${table(
        ['server', 'what it does', 'what we do'],
        rows.map(({ servers, does, we }) => [servers, does, we]),
      )}`,
  )
  return `${before}${BEGIN}\n\n${tables.join('\n\n')}\n\n${END}${after}`
}
