import { costs } from './scale/costs.ts'
import { assumptions, type Need, needOf } from './scale/model.ts'

const USERS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

const inputs: readonly (readonly [what: string, value: string])[] = [
  ['users with an open page in the busiest minute', `${assumptions.online * 100} %`],
  ['windows of a page; a page stays open', `${assumptions.windowsPerPage}; ${assumptions.pageMinutes} min`],
  ['heartbeats of a window a minute', `${assumptions.heartbeats}`],
  [
    'reads, writes, jobs of a page a minute',
    `${assumptions.reads}, ${assumptions.writes}, ${assumptions.jobs}`,
  ],
  [
    'events of a page a minute; runs, each with frames',
    `${assumptions.events}; ${assumptions.runs}, ${assumptions.framesPerRun}`,
  ],
  [
    'of a user: rows, files; journals while online',
    `${bytes(assumptions.recordBytes)}, ${bytes(assumptions.fileBytes)}; ${bytes(assumptions.journalBytes)}`,
  ],
  [
    'a host: cores, memory; how busy either may be',
    `${assumptions.coresPerHost}, ${bytes(assumptions.memoryPerHost)}; ${assumptions.load * 100} %`,
  ],
]

const outputs: readonly (readonly [what: string, of: (need: Need) => string])[] = [
  ['open pages', ({ pages }) => count(pages)],
  ['calls/s', ({ calls }) => count(calls)],
  ['hosts', ({ hosts }) => count(hosts)],
  ['  decided by', ({ hostsBy }) => hostsBy],
  ['PostgreSQL: busy cores', ({ postgresCores }) => cores(postgresCores)],
  ['  statements/s', ({ statements }) => count(statements)],
  ['  commits/s', ({ commits }) => count(commits)],
  ['  log/s', ({ walBytes }) => bytes(walBytes)],
  ['  rows', ({ storedBytes }) => bytes(storedBytes)],
  ['  files', ({ fileBytes }) => bytes(fileBytes)],
  ['Redis: busy cores', ({ redisCores }) => cores(redisCores)],
  ['  commands/s', ({ commands }) => count(commands)],
  ['  network/s', ({ redisNetBytes }) => bytes(redisNetBytes)],
  ['  memory', ({ redisBytes }) => bytes(redisBytes)],
  ['  servers', ({ redisServers }) => count(redisServers)],
]

/** What so many users would need, from the costs that were measured and assumptions about use. Always the same. */
export async function benchScale(): Promise<void> {
  console.log('\nassumed')
  for (const [what, value] of inputs) console.log(`  ${what.padEnd(50)}${value}`)
  console.log('\nmeasured, of one each: CPU of host, PostgreSQL, Redis in µs; statements; commands')
  for (const [kind, one] of Object.entries(costs))
    console.log(
      `  ${kind.padEnd(12)}${[one.hostUs, one.postgresUs, one.redisUs, one.statements, one.commands].map((value) => String(value).padStart(9)).join('')}`,
    )
  const needs = USERS.map((users) => needOf(users, assumptions))
  console.log(`\n${'users'.padEnd(26)}${USERS.map((users) => count(users).padStart(13)).join('')}`)
  for (const [what, of] of outputs)
    console.log(`${what.padEnd(26)}${needs.map((need) => of(need).padStart(13)).join('')}`)
}

function count(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`
  return value >= 1e3 ? `${Number((value / 1e3).toPrecision(3))} k` : value.toFixed(0)
}

function cores(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2)
}

function bytes(value: number): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), names.length - 1)
  return `${Number((value / 1_000 ** at).toPrecision(3))} ${names[at]}`
}

if (import.meta.main) await benchScale()
