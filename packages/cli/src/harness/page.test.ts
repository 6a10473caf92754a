import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { pageFrom } from './page.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'svc-page-'))
afterAll(() => rmSync(dir, { recursive: true }))
writeFileSync(path.join(dir, 'index.html'), '<p>')
writeFileSync(path.join(dir, 'a b.js'), '0')
writeFileSync(path.join(dir, 'secret'), 'no ending')
const page = pageFrom(dir)

it.each([
  ['/', 'text/html; charset=utf-8'],
  ['/index.html', 'text/html; charset=utf-8'],
  ['/a%20b.js', 'text/javascript; charset=utf-8'],
])('answers %s', async (pathname, type) => {
  expect((await page(pathname))?.type).toBe(type)
})

it.each([
  '/gone.js',
  '/secret',
  `/../${path.basename(dir)}/../page.html`,
  '/..%2f..%2fetc%2fhosts.html',
  '/%2e%2e/%2e%2e/x.js',
  '/%',
  '/a%00.js',
  '/..%5cx.js',
])('has nothing at %s', async (pathname) => {
  expect(await page(pathname)).toBeNull()
})
