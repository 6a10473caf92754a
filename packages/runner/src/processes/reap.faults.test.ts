import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { leftAfter } from '../testing/bed.ts'
import { killTree } from './reap.ts'

/** Processes in sessions of their own that are hard to catch, left by one that is gone. */
const orphans = [
  ['is just beginning a program', `setsid ${'env '.repeat(40)}sleep 1000 &`],
  [
    'is gone as soon as it has forked the next one',
    `setsid sh -c 'next() { [ $1 -gt 0 ] && next $(($1 - 1)) & }; next 5000' &`,
  ],
] as const
const ROUNDS = rounds(60, 15)
const GONE_MS = 1_500

verifies.each('wall.plugin.tree')(orphans)('an orphan that %s is found', async (_, script) => {
  for (let round = 0; round < ROUNDS; round++) {
    const mark = randomUUID()
    const env = { ...process.env, SVC_TREE: mark, SVC_TEST_MARK: mark }
    const root = spawn('sh', ['-c', script], { detached: true, env, stdio: 'ignore' })
    await once(root, 'exit')
    killTree(root.pid as number, mark)
    expect([round, await leftAfter(mark, GONE_MS)]).toEqual([round, []])
  }
})
