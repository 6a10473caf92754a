// Does the same work again and again, each time with another system call failing; runs under the shared object of
// `fail-calls.c`. `node main.ts DIR CONTROL ERRNO FIRST STEP` prints a line of JSON for each round.
import { openSync, readSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { whatIsWrong } from '../check-folder.ts'
import { doWork, whatIsLost } from './work.ts'

const [dir = '', file = '', errno = '', first = '', step = ''] = process.argv.slice(2)
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

const calls = await round(0)
for (let failing = Number(first); failing <= calls; failing += Number(step)) await round(failing)
