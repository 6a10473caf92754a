import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { expect } from 'vitest'
import { problemOf } from '../isolation/probes.ts'
import { type FirstProcess, firstBehind } from './first-process.ts'
import { takenBy } from './taken.ts'

const [BWRAP = '', ...WALLS] =
  'bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev --'.split(' ')
/** Three at a time that begin and end, with files open. */
const STORM =
  'for at in 1 2 3; do (while :; do /bin/true 3< /bin/sh 4< /bin/sh 5< /bin/sh; done) & done; wait'

verifies('wall.plugin.bounds', 'what a process takes is seen while others of it end', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may look at a process that ends')
  const problem = problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)
  skip(problem !== null, `bubblewrap: ${problem}; npm run tools`)
  const child = spawn(BWRAP, [...WALLS, '/bin/sh', '-c', STORM], { stdio: 'ignore', detached: true })
  const { pid = 0 } = child
  const ended = once(child, 'exit')
  try {
    let first: FirstProcess | undefined
    const processes = async () => first && (await takenBy(first, limits, new Map())).processes
    await expect
      .poll(() => {
        first = firstBehind(pid)
        return processes()
      })
      .toBeGreaterThan(1)
    for (let at = 0; at < rounds(1_000, 100); at++) expect(await processes()).toBeGreaterThan(1)
  } finally {
    // All of its group: the first process behind the walls may not know yet that it is to die with its parent.
    process.kill(-pid, 'SIGKILL')
    await ended
  }
})
