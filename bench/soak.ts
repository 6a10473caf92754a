import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Result } from './lib/result.ts'
import { COMPILED } from './soak/census.ts'
import type { Target } from './soak/client.ts'
import { driveLanes } from './soak/lanes.ts'
import { pageLanes } from './soak/page-lanes.ts'
import { openPeople } from './soak/people.ts'
import type { Sample } from './soak/series.ts'
import { watch } from './soak/watch.ts'
import { workLanes } from './soak/work-lanes.ts'

const SAMPLE_MS = 2_000
/** The young generation has its size from the start, else each burst of calls makes it and the memory of the process larger. */
const YOUNG = ['--min-semi-space-size=16', '--max-semi-space-size=16']

/**
 * A host in a process of its own under all kinds of traffic at a steady rate, for an hour or `--minutes 5`, with its state in
 * memory or `--state folder`: what it holds must not grow. `soak/limits.ts` shortens how long things are kept.
 */
export async function benchSoak(): Promise<Result> {
  const { values } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '60' }, state: { type: 'string', default: 'memory' } },
  })
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, got ${values.minutes}`)
  if (values.state !== 'memory' && values.state !== 'folder')
    throw new Error(`--state must be memory or folder, got ${values.state}`)
  const folder = await mkdtemp(join(tmpdir(), 'svc-soak-'))
  const host = fork(new URL('./soak/host.ts', import.meta.url), [folder, values.state], {
    execArgv: ['--expose-gc', ...YOUNG],
  })
  const gone = once(host, 'exit')
  const heard = async <T>(): Promise<T> => {
    const message = once(host, 'message')
    await Promise.race([message, gone.then(([code]) => Promise.reject(new Error(`the host ended: ${code}`)))])
    return (await message)[0] as T
  }
  const traffic = new AbortController()
  try {
    const target = await heard<Target>()
    const people = await openPeople(target)
    const lanes = driveLanes([...pageLanes(people), ...workLanes(people)], traffic.signal)
    return await watch({
      title: `a host under traffic, state in ${values.state === 'folder' ? 'a folder' : 'memory'}`,
      minutes,
      shown: [COMPILED],
      sampleMs: SAMPLE_MS,
      sample() {
        const sample = heard<Sample>()
        host.send('sample')
        return sample
      },
      done: () => lanes.done.reduce((sum, { done }) => sum + done, 0),
      traffic: () =>
        lanes.done
          .map(({ name, done, failed, trouble }) =>
            failed === 0 ? `${name}: ${done}` : `${name}: ${done}, failed ${failed} (${trouble})`,
          )
          .join('\n'),
    })
  } finally {
    traffic.abort()
    host.kill()
    await gone
    await rm(folder, { recursive: true, force: true })
  }
}
