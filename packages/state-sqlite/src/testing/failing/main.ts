// Does the same work again and again, each time with another system call failing; runs under the shared object of
// `fail-calls.c`. `node main.ts DIR CONTROL ERRNO ROUNDS SEED` prints a line of JSON for each round.
import { openSync, readSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { whatIsWrong } from '@svc/conformance/testing/check-folder'
import { seeded } from '@svc/conformance/testing/seeded'
import { doWork, whatIsLost } from './work.ts'

const [dir = '', file = '', errno = '', rounds = '', seed = ''] = process.argv.slice(2)
const control = openSync(file, 'r+')

/** Has the call `failing` from now on fail; returns how many there were until now. */
function failAt(failing: number): number {
  const words = new Uint32Array(3)
  readSync(control, words, 0, words.byteLength, 0)
  writeSync(control, new Uint32Array([0, failing, Number(errno)]), 0, words.byteLength, 0)
  return words[0] as number
}

async function round(failing: number) {
  const folder = path.join(dir, String(failing))
  await mkdir(folder)
  failAt(failing)
  const { refusals, wrong } = await doWork(folder)
  const calls = failAt(0)
  const lost = [...(await whatIsLost(folder)), ...whatIsWrong(folder)]
  await rm(folder, { recursive: true })
  console.log(JSON.stringify({ failing, calls, refusals, wrong: [...wrong, ...lost] }))
  return calls
}

/** Opening and the small calls; what follows is mostly pages of large records. */
const SMALL_CALLS = 300
const PART_SMALL = 0.75
const random = seeded(Number(seed))

/** Some of the numbers from `low` to below `high`, at most `most`, as far from each other as that makes them. */
function spread(low: number, high: number, most: number): number[] {
  const step = Math.max(1, (high - low) / Math.max(1, most))
  const first = Math.floor(low + random() * Math.min(step, high - low))
  return Array.from({ length: Math.ceil((high - first) / step) }, (_, at) => Math.floor(first + at * step))
}

const calls = await round(0)
const small = Math.min(calls, SMALL_CALLS)
const failing = [
  ...spread(1, small + 1, Number(rounds) * PART_SMALL),
  ...(calls > small ? spread(small + 1, calls + 1, Number(rounds) * (1 - PART_SMALL)) : []),
]
for (const n of failing) await round(n)
