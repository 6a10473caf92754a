import { expect, it } from 'vitest'
import { BASE, inFolder } from './base.ts'

const folder = '/svc/bundles/0123/'
const text = `import "${BASE}src/a.js"; const base = "${BASE}"; const price = '$&'`

it.each([
  'text/javascript; charset=utf-8',
  'text/html; charset=utf-8',
  'text/css',
  'application/json',
  'image/svg+xml',
])('puts the folder in place of the base in %s, wherever it is', (type) => {
  const served = Buffer.from(inFolder(type, Buffer.from(text), folder)).toString()
  expect(served).toBe(`import "${folder}src/a.js"; const base = "${folder}"; const price = '$&'`)
})

it.each(['image/png', 'application/wasm', 'font/woff2'])('leaves every byte of %s', (type) => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(BASE)])
  expect(inFolder(type, bytes, folder)).toBe(bytes)
})
