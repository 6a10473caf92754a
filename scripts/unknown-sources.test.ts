import { expect, it } from 'vitest'
import { unknownSources } from './unknown-sources.ts'

const cite = 'cite a requirement id or a file of docs/decisions'
const section = '\u00a7'
const ruling = 'Decision'

it.each([
  ['a file of docs/decisions', 'docs/decisions/0010-storage.md', []],
  ['a word', 'by design, and a decision of 3 hosts', []],
  ['another section', `RFC 6455 ${section}7.4.1`, []],
  ['a chapter', `a\n// (spec ${section}4.2)`, [`a.ts:2: "spec ${section}4.2" is in no file here; ${cite}`]],
  ['a ruling', `/** ${ruling}\n * 32b: x */`, [`a.ts:1: "${ruling} 32b" is in no file here; ${cite}`]],
  ['an outline', `design ${section}8`, [`a.ts:1: "design ${section}8" is in no file here; ${cite}`]],
])('finds %s', (_, text, findings) => {
  expect(unknownSources({ file: 'a.ts', text })).toEqual(findings)
})

it.each(['docs/decisions/README.md', 'packages/conformance/src/requirements/runs.ts'])(
  'leaves %s, where the numbers are explained',
  (file) => {
    expect(unknownSources({ file, text: `design ${section}8` })).toEqual([])
  },
)
