import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { rename } from './rename.ts'

/** A disk that says some errors before it renames, and a clock whose timers fire at once. */
function busyDisk(codes: readonly string[]) {
  const left = [...codes]
  const waits: number[] = []
  return {
    waits,
    clock: {
      now: () => 0,
      setTimer(fn: () => void, ms: number) {
        waits.push(ms)
        queueMicrotask(fn)
        return () => {}
      },
    },
    tryOnce: async () => {
      const code = left.shift()
      if (code) throw Object.assign(new Error(code), { code })
    },
  }
}

verifies.each('platforms.renames')([
  ['win32', [], [], null],
  ['win32', ['EPERM', 'EBUSY', 'EACCES'], [10, 20, 40], null],
  ['win32', ['EPERM', 'ENOENT'], [10], 'ENOENT'],
  ['win32', Array(8).fill('EBUSY'), [10, 20, 40, 80, 160, 320, 640], 'EBUSY'],
  ['linux', ['EPERM'], [], 'EPERM'],
  ['darwin', ['EACCES'], [], 'EACCES'],
] as const)('on %s after %j it has waited %j and failed with %s', async (platform, codes, waits, failure) => {
  const disk = busyDisk(codes)
  const failed = await rename('a', 'b', { ...disk, platform }).then(
    () => null,
    (error) => error.code,
  )
  expect([failed, disk.waits]).toEqual([failure, waits])
})
