import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { describeCsv } from '../plugin/describe.ts'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')

let host: TestHost
/** Calls that came to a tool, by its plugin and the name of the table. */
let calls: string[]
/** What a tool waits for before it answers. */
let ready: Promise<unknown>
const tool = (plugin: string) => ({
  async describe_csv({ csv, name }: { csv: string; name: string }) {
    calls.push(`${plugin} ${name}`)
    await ready
    return describeCsv(csv, name)
  },
})

beforeEach(async () => {
  calls = []
  ready = Promise.resolve()
  host = await createTestHost({
    manifest,
    tools: { 'csv-stats': tool('Node'), 'csv-stats-python': tool('Python') },
  })
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  await host.openWindow({ document: globalThis })
  vi.resetModules()
  await import('./main.ts')
})
afterEach(() => host.close())

const textOf = (id: string) => byId(id).textContent
/** Drops a file, and lets what follows happen up to `shown`. */
async function drop(name: string, text: string | Uint8Array<ArrayBuffer>, shown: string): Promise<void> {
  const dataTransfer = { files: [new File([text], name)] }
  document.dispatchEvent(Object.assign(new Event('drop'), { dataTransfer }))
  await expect.poll(() => byId(shown).hidden).toBe(false)
  await host.clock.settled()
}

it('names its limit and offers both tools', () => {
  expect(textOf('limit')).toBe('up to 4 MiB')
  const choices = [...byId('plugins').querySelectorAll('label')]
  expect(choices.map(({ textContent, title }) => [textContent, title])).toEqual([
    ['Node', 'csv-stats'],
    ['Python', 'csv-stats-python'],
  ])
})

it('describes a dropped table, again with the other tool when it is chosen', async () => {
  await drop('fruit.csv', 'fruit,price\npear,2.5\n"apple, red",\n', 'report')
  expect(textOf('report-name')).toBe('fruit.csv')
  expect(textOf('report-facts')).toMatch(
    /^2 rows · 2 columns · 35 bytes of UTF-8 · separated by , · described by Node in /,
  )
  const names = [...document.querySelectorAll('#columns .name')].map(({ textContent }) => textContent)
  expect(names).toEqual(['fruit', 'price'])
  byId('plugins').querySelectorAll('input')[1]?.click()
  await expect.poll(() => textOf('report-facts')).toMatch(/described by Python in /)
  expect(calls).toEqual(['Node fruit.csv', 'Python fruit.csv'])
})

it.each([
  [
    Uint8Array.from(Buffer.from('Stand;2026\n\nName;Stadt;Preis\nMüller;Köln;1,5\n', 'latin1')),
    '45 bytes of Windows-1252 · separated by ;, with decimal comma · 1 row above the header left out',
  ],
  ['a\tb\n1\t2\n', '8 bytes of UTF-8 · separated by tab'],
  ['a\n1\n', '4 bytes of UTF-8'],
])('says how it read a table, case %#', async (table, facts) => {
  await drop('table.csv', table, 'report')
  expect(textOf('report-facts')).toContain(` · ${facts} · described by Node in `)
})

it('shows markup in a table as the text that it is', async () => {
  await drop('<i>odd</i>.csv', '<b>name</b>\n<img src=x onerror=alert(1)>\n', 'report')
  expect(textOf('report-name')).toBe('<i>odd</i>.csv')
  expect(textOf('columns')).toContain('<img src=x onerror=alert(1)>')
  expect(document.querySelectorAll('main img, main b, main i')).toHaveLength(0)
})

verifies('tools.reply.inner', 'says which row of a broken table the tool refused', async () => {
  await drop('broken.csv', 'a,b\n1,2\n3\n', 'trouble')
  expect(textOf('trouble')).toMatch(/row 3 must have as many cells as the header \(2\), got 1\./)
  expect(byId('report').hidden).toBe(true)
})

it.each([
  ['large.csv', `a\n${'x'.repeat(4_300_000)}\n`, '4,300,003 bytes'],
  // Half the limit on the disk, and over it as JSON, where each quote takes a character more.
  ['quotes.csv', `a\n${'"",\n'.repeat(600_000)}`, '4,200,033 bytes'],
])('refuses %s before it is sent, with its size and the limit', async (name, text, size) => {
  await drop(name, text, 'trouble')
  expect(textOf('trouble')).toContain(`${name} is too large for one call: it takes ${size}`)
  expect(textOf('trouble')).toContain('the limit is 4,194,304')
  expect(calls).toEqual([])
})

it('stops a description, and shows nothing of it', async () => {
  ready = new Promise(() => {})
  await drop('slow.csv', 'a\n1\n', 'working')
  await expect.poll(() => host.busy).toEqual(['csv-stats.describe_csv'])
  byId('abort').click()
  await host.clock.settled()
  expect([byId('stopped').hidden, byId('working').hidden, byId('report').hidden]).toEqual([false, true, true])
  expect([byId('trouble').hidden, host.busy]).toEqual([true, []])
})

it('says that the tool crashed, and describes the next table', async () => {
  ready = new Promise(() => {})
  await drop('crash.csv', 'a\n1\n', 'working')
  await expect.poll(() => host.busy).toEqual(['csv-stats.describe_csv'])
  await host.fault.killPlugin('csv-stats')
  expect(textOf('trouble')).toMatch(/^The plugin ended by signal SIGKILL/)
  ready = Promise.resolve()
  await drop('next.csv', 'a\n1\n', 'report')
  expect([textOf('report-name'), byId('trouble').hidden]).toEqual(['next.csv', true])
})
