import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rounds, roundsSeed } from '@svc/conformance/rounds'
import { bundleProcess } from '@svc/conformance/testing/bundle-process'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROUNDS = rounds(400, 6)
const HOUR_MS = 3_600_000
const CONTROL_BYTES = 12
/** There are more rounds than these: a code is met by the calls that can return it, and few calls open a file. */
const leastRounds = { ENOSPC: ROUNDS / 2, EIO: ROUNDS / 2, EMFILE: Math.min(ROUNDS / 2, 30) }

const start = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-failing-'))
  const at = (file: string) => path.join(import.meta.dirname, file)
  await bundleProcess(dir, { main: at('testing/failing/main.ts') })
  const source = at('testing/failing/fail-calls.c')
  const args = ['-shared', '-fPIC', '-O1', '-o', path.join(dir, 'fail-calls.so'), source, '-ldl']
  await start('cc', args).catch((error) => {
    throw new Error('a C compiler is needed: install gcc and libc6-dev', { cause: error })
  })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it.each(Object.entries(leastRounds))(
  `%s of one system call after the other: it is said, nothing is lost, and what follows succeeds (${ROUNDS} calls)`,
  async (code, least) => {
    const below = path.join(dir, code)
    const control = path.join(dir, `${code}.control`)
    await mkdir(below)
    await writeFile(control, Buffer.alloc(CONTROL_BYTES))
    const args = [
      below,
      control,
      String(constants.errno[code as keyof typeof leastRounds]),
      String(ROUNDS),
      String(roundsSeed()),
    ]
    const { stdout } = await start(process.execPath, [path.join(dir, 'main.mjs'), ...args], {
      env: {
        ...process.env,
        LD_PRELOAD: path.join(dir, 'fail-calls.so'),
        FAIL_BELOW: below,
        FAIL_CONTROL: control,
      },
      maxBuffer: Number.POSITIVE_INFINITY,
    })
    const rounds = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { failing: number; calls: number; refusals: string[]; wrong: string[] },
      )
    expect(rounds.filter(({ wrong }) => wrong.length > 0)).toEqual([])
    expect(rounds.length).toBeGreaterThan(least)
    const refused = rounds.filter(({ refusals }) => refusals.length > 0)
    console.log(`${code}: ${rounds.length} rounds, in ${refused.length} of them a call was refused`)
    expect(rounds[0]?.refusals).toEqual([])
    // Which calls the driver answers for is its own; that they failed is counted.
    const failed = rounds.filter(({ failing, calls }) => failing > 0 && calls >= failing)
    expect(failed.length).toBeGreaterThan(rounds.length / 2)
  },
  HOUR_MS,
)
