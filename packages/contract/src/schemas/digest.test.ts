import { expect, it } from 'vitest'
import { canonicalJson, type DigestedTerms, jsonDigest, termsDigest } from './digest.ts'

it.each<[unknown, string]>([
  [{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
  [{ 10: 0, 9: 0 }, '{"10":0,"9":0}'],
  [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
  [undefined, 'null'],
])('%j as canonical JSON is %s', (value, text) => expect(canonicalJson(value)).toBe(text))

it('equal values share a digest', () => {
  expect(jsonDigest({ a: 1, b: 2 })).toBe(jsonDigest({ b: 2, a: 1 }))
  expect(jsonDigest({ a: 1 })).toMatch(/^[\da-f]{32}$/)
})

const distribution = { type: 'npm', package_name: 'sky', version: '1.0.0' }
const terms: DigestedTerms = {
  tool_id: 'tool-eve-sky',
  owner: 'eve',
  version: '1.0.0',
  distribution,
  reach: { hosts: ['sky.example'] },
}
it.each<[keyof DigestedTerms, DigestedTerms[keyof DigestedTerms]]>([
  ['tool_id', 'tool-eve-sea'],
  ['owner', null],
  ['version', '1.0.1'],
  ['distribution', { ...distribution, protocol: 'mcp' }],
  ['reach', undefined],
])('terms with another %s have another digest', (key, value) => {
  expect(termsDigest({ ...terms, [key]: value })).not.toBe(termsDigest(terms))
  expect(termsDigest({ ...terms, reach: { hosts: ['SKY.example:443'], folders: [] } })).toBe(
    termsDigest(terms),
  )
})
