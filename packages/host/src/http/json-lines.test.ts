import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
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
    const reader = jsonLines(source()).body?.getReader()
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
