import { describe, expect, it } from 'vitest'
import { missingSources, unknownSources } from './unknown-sources.ts'

const cite = 'is in no file here; cite a requirement id or a file of docs/decisions'
const section = '\u00a7'
const ruling = 'Decision'
const chapter = ['4', '2'].join('.')
const outline = ['design', 'section 7'].join(' ')
const gone = ['0099', 'not-there'].join('-')
const isThere = (path: string) => ['docs/decisions/0010-storage.md', 'docs/guides/jobs.md'].includes(path)

describe('what comments and pages name', () => {
  it.each([
    ['a ruling', 'docs/decisions/0010-storage.md', []],
    ['a word', 'by design, and a decision of 3 hosts', []],
    ['a figure', 'median (p99) 1.5, at(0.99), (6.75 s)', []],
    ['a public standard', `RFC 6455 ${section}7.4.1, semver.org ${section}11`, []],
    ['a chapter', `a\n// (spec ${section}4.2)`, [`a.ts:2: "spec ${section}4.2" ${cite}`]],
    ['a chapter alone', `as ${section}4.2 says`, [`a.ts:1: "${section}4.2" ${cite}`]],
    ['a chapter in brackets', `as it must (${chapter})`, [`a.ts:1: "(${chapter})" ${cite}`]],
    ['a chapter in words', `the ${outline}`, [`a.ts:1: "${outline}" ${cite}`]],
    ['a numbered ruling', `/** ${ruling}\n * 32b: x */`, [`a.ts:1: "${ruling} 32b" ${cite}`]],
    ['a ruling by a catchword', `paths (${ruling}s, SSRF)`, [`a.ts:1: "${ruling}s, SSRF" ${cite}`]],
    ['an outline', `design ${section}8`, [`a.ts:1: "design ${section}8" ${cite}`]],
    ['a ruling that is not there', `// docs/decisions/${gone}.md`, [`a.ts:1: "${gone}" ${cite}`]],
  ])('finds in the text of %s what is not here', (_, text, findings) => {
    expect(unknownSources({ file: 'a.ts', text }, isThere)).toEqual(findings)
  })
})

it.each([
  ['0010-storage', []],
  ['docs/guides/jobs.md', []],
  ['docs/guides/none.md', ['the requirement a.b: "docs/guides/none.md" is neither a ruling nor a page here']],
  [gone, [`the requirement a.b: "${gone}" is neither a ruling nor a page here`]],
  ['4.2', ['the requirement a.b: "4.2" is neither a ruling nor a page here']],
])('asks that the source %s of a requirement is here', (source, findings) => {
  expect(missingSources([{ id: 'a.b', source }], isThere)).toEqual(findings)
})
