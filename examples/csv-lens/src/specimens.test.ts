import { expect, it } from 'vitest'
import { describeCsv } from '../plugin/describe.ts'
import { SPECIMENS, specimen } from '../plugin/specimens.ts'
import { tableText } from './table-text.ts'

it.each(SPECIMENS)(
  'reads %s as %s separated by %j',
  (file, encoding, separator, [skipped, rows], columns) => {
    const table = tableText(specimen(file), file)
    const report = describeCsv(table.text, file)
    expect(table.encoding).toBe(encoding)
    expect(report).toMatchObject({ separator, skipped, rows })
    expect(report.columns.map(({ name, kind }) => (kind === 'number' ? `=${name}` : name)).join(' / ')).toBe(
      columns,
    )
  },
)

it.each([
  ['excel-german.csv', 'Betrag', -12, 1234.5],
  ['excel-french.csv', 'Prix', 2.5, 1234.56],
  ['excel-french-utf8.csv', 'Prix', 2.5, 1234.56],
  ['sap-spreadsheet.txt', 'Betrag', -1234.5, 500.25],
  ['r-write-csv2.csv', 'price', 0.00001, 2.5],
  ['german-points.tsv', 'Einwohner', 335_789, 1_073_096],
  ['german-points.tsv', 'Version', 1.1, 2.25],
  ['pandas-semicolon.csv', 'price', 2.5, 3],
])('reads the numbers of %s', (file, name, min, max) => {
  const { columns } = describeCsv(tableText(specimen(file), file).text, file)
  expect(columns.find((column) => column.name === name)).toMatchObject({ kind: 'number', min, max })
})
