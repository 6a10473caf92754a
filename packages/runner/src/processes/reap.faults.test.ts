import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { leftAfter } from '../testing/bed.ts'
import { killTree } from './reap.ts'

/** Leaves a process in a session of its own that begins one program after another, and is gone. */
const ORPHAN = `setsid ${'env '.repeat(40)}sleep 1000 &`
const ROUNDS = 200
const GONE_MS = 1_500

verifies('wall.plugin.tree', 'an orphan that is just beginning a program is found', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const mark = randomUUID()
    const env = { ...process.env, SVC_TREE: mark, SVC_TEST_MARK: mark }
    const root = spawn('sh', ['-c', ORPHAN], { detached: true, env, stdio: 'ignore' })
    await once(root, 'exit')
    killTree(root.pid as number, mark)
    expect([round, await leftAfter(mark, GONE_MS)]).toEqual([round, []])
  }
})
