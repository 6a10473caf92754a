import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTestHost } from '@svc/conformance/testing/host'
import { hostLimits, limits } from '@svc/contract'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createHost } from './create-host.ts'

const packages = join(import.meta.dirname, '..', '..')
/** Where limits are listed, not read. */
const lists = /^limits\/|^check-limits\.ts$/
/** What only tests run. */
const tests = /\.test\.ts$|(^|\/)testing\//

/** The names of limits that the code of a package holds, and the text of each file. */
function sources(name: string): string[] {
  return globSync('**/*.ts', { cwd: join(packages, name, 'src') })
    .filter((file) => !tests.test(file) && !lists.test(file))
    .map((file) => readFileSync(join(packages, name, 'src', file), 'utf8'))
}
const namesIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []))

const contract = sources('contract')
const host = sources('host')
/** What is read off the contract's own table, where an override does not reach. */
const fixed = namesIn([
  ...contract,
  ...host
    .filter((text) => /import \{[^}]*\blimits(?:,[^}]*| )\} from '@svc\/contract'/.test(text))
    .flatMap((text) => text.match(/(?<!services\.)\blimits\.[A-Z_]+/g) ?? []),
])
const read = namesIn([...host, ...sources('runner'), ...sources('node')])

it.each(hostLimits.map((name) => [name]))('%s is read at run time and stands in no schema', (name) => {
  expect([read.has(name), fixed.has(name)]).toEqual([true, false])
})

it.each([
  [{ TITLE_MAX_CHARS: 3 }, /limits\.TITLE_MAX_CHARS cannot be overridden/],
  [{ STORAGE_LIST_MAX: 1 }, /limits\.STORAGE_LIST_MAX cannot be overridden/],
  [{ BATCH_MAX_CALLS: 1 }, /limits\.BATCH_MAX_CALLS cannot be overridden/],
  [{ NO_SUCH_LIMIT: 1 }, /limits\.NO_SUCH_LIMIT cannot be overridden; there is no such limit$/],
  [{ POOL_IDLE: 1 }, /cannot be overridden; there is no such limit; did you mean `POOL_IDLE_MS`\?/],
  [
    { POOL_IDLE_MS: '1' },
    /limits\.POOL_IDLE_MS must be a whole number of at least 0, got "1"; write 1 without quotes/,
  ],
  [{ POOL_IDLE_MS: Number.NaN }, /must be a whole number of at least 0, got NaN/],
  [{ POOL_IDLE_MS: -1 }, /must be a whole number of at least 0, got -1/],
])('the override %j is refused', (overrides, sentence) => {
  const logger = pino({ level: 'silent' })
  expect(() => createHost({ runner: null, logger, limits: overrides as never })).toThrow(sentence)
})

it('hello announces the numbers that are kept', async () => {
  const services = await openTestHost({ limits: { IN_FLIGHT_PER_WINDOW: 5, SYNC_TIMEOUT_MAX_MS: 50_000 } })
  const window = await services.openWindow()
  const hello = await window.call('window', 'hello')
  const announced = hello.ok && (hello.result.capabilities as { limits: Record<string, number> }).limits
  const overridden = { IN_FLIGHT_PER_WINDOW: 5, SYNC_TIMEOUT_MAX_MS: 50_000 }
  expect(announced).toMatchObject(overridden)
  for (const [name, value] of Object.entries(announced || {}))
    expect([name, value]).toEqual([name, { ...limits, ...overridden }[name as keyof typeof limits]])
  await services.close()
})
