import { verifies } from '@svc/conformance/verifies'
import { expect, test } from 'vitest'
import { jsonLines } from './json-lines.ts'

verifies(
  'user.export.pace',
  'a line is made when the one before is taken, and none after its reader left',
  async () => {
    const made: number[] = []
    let isOver = false
    async function* source() {
      try {
        for (let n = 1; ; n += 1) {
          made.push(n)
          yield { n }
        }
      } finally {
        isOver = true
      }
    }
    const reader = jsonLines(source(), { error() {} }).body?.getReader()
    expect(made).toEqual([])
    for (const n of [1, 2, 3]) {
      const read = await reader?.read()
      expect(Buffer.from(read?.value ?? []).toString()).toBe(`{"n":${n}}\n`)
      expect(made).toHaveLength(n)
    }
    await reader?.cancel()
    expect([isOver, made.length]).toEqual([true, 3])
  },
)

test('a source that fails is logged, and its reader cut off', async () => {
  const logged: unknown[] = []
  async function* source() {
    yield { n: 1 }
    throw new Error('the store is gone')
  }
  const answer = jsonLines(source(), { error: (about: unknown) => void logged.push(about) })
  await expect(answer.text()).rejects.toThrow('the store is gone')
  expect(logged).toEqual([{ err: new Error('the store is gone') }])
})
