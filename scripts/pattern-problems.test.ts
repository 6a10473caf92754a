import { expect, it } from 'vitest'
import { patternProblems } from './pattern-problems.ts'

it.each([
  ['/\\s*,\\s*/', true],
  ['/\\/+$/', true],
  ['/(?<!\\/)\\/+$/', false],
  ['/^(a+)+$/', true],
  ['/^\\s*\\w*\\s*$/', true],
  ['/^\\s*(\\w+\\s*)?$/', false],
  ['/^[\\w-]{32,128}$/', false],
  ['/[^a-z0-9]+/g', false],
  ['/\\bmap\\[[^\\]]* jsonrpc:2/', true],
  ['/<!--.*?-->/gs', true],
  ['/(?:x|a(b))[a-b]+c/', true],
  ['/^map\\[[^\\]]*x/', false],
  ['/map\\[[^\\]]*/', false],
  ['/map\\[[^[]*x/', false],
  ['/(?<!a)ab[a-b]*c/', false],
])('%s is slow: %s', (pattern, isSlow) => {
  const found = patternProblems('a.ts', `const one = 1\nconst two = ${pattern}\n`)
  expect(found).toEqual(isSlow ? [{ line: 2, pattern }] : [])
})
