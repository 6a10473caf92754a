import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deadLinks } from './built-links.ts'

function openSite(link: string): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-site-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  mkdirSync(path.join(dir, 'guides'))
  writeFileSync(path.join(dir, 'index.html'), '<h2 id="two-commands">Two</h2><img src="/1.0.0/a.png">')
  writeFileSync(path.join(dir, 'a.png'), '')
  writeFileSync(path.join(dir, 'guides/jobs.html'), `<h2 id="a_b">A</h2><a class="x" href="${link}">a</a>`)
  return dir
}

it.each([
  ['the first page', '/1.0.0/', []],
  ['a heading of another page', '/1.0.0/index.html#two-commands', []],
  ['a relative page', '../index.html', []],
  ['a heading of its own', '#a_b', []],
  ['somewhere else', 'https://a.site/b', []],
  ['a page that is not there', '/1.0.0/gone.html', ['guides/jobs.html: /1.0.0/gone.html names nothing']],
  ['a heading that is not there', '#c', ['guides/jobs.html: #c names no heading']],
  ['a page beside the site', '/2.0.0/', ['guides/jobs.html: /2.0.0/ leaves the site']],
])('reads a link to %s', (_, link, findings) => {
  expect(deadLinks(openSite(link), '/1.0.0/')).toEqual(findings)
})
