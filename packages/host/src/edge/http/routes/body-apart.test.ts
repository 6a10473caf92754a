import { verifies } from '@svc/conformance/verifies'
import { refuse } from '@svc/contract'
import { limits } from '@svc/contract/limits'
import { afterAll, expect } from 'vitest'
import { openThreads } from '../../../kernel/threads/threads.ts'
import { askAfterBody, readJson } from './body.ts'

const threads = openThreads()
afterAll(() => threads.close())

const post = (bytes: number) =>
  new Request('http://host.site/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(bytes) }),
  })

verifies.each('user.block.meanwhile')([
  ['a short body', 100, 1],
  ['a long body, which waits for its turn in another thread', limits.BODY_APART_BYTES, 2],
])('the sender of %s is judged again when it was read', async (_name, bytes, times) => {
  const request = post(bytes)
  let judged = 0
  askAfterBody(request, async () => {
    judged += 1
  })
  await readJson(request, { limits, threads })
  expect(judged).toBe(times)
})

verifies('user.block.meanwhile', 'a block that comes while a body is parsed refuses it', async () => {
  const request = post(limits.BODY_APART_BYTES)
  let judged = 0
  askAfterBody(request, async () => {
    judged += 1
    if (judged === 2) throw refuse('permission_denied', 'this user is blocked on this host')
  })
  await expect(readJson(request, { limits, threads })).rejects.toThrow('this user is blocked')
})
