import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { createEmitter } from './emitter.ts'

verifies('wall.frame.told', 'tells what it held in its order, and then at once', () => {
  const heard: unknown[] = []
  const emitter = createEmitter<{ one: (n: number) => void; two: (n: number) => void }>((error) =>
    heard.push(error),
  )
  const tell = emitter.hold()
  emitter.emit('one', 1)
  emitter.emit('two', 2)
  emitter.on('one', (n) => heard.push(n))
  emitter.on('two', (n) => {
    heard.push(n)
    throw new Error('thrown')
  })
  expect(heard).toEqual([])
  tell()
  emitter.emit('one', 3)
  expect(heard).toEqual([1, 2, new Error('thrown'), 3])
})

verifies('wall.frame.told', 'holds the newest 256', () => {
  const heard: unknown[] = []
  const emitter = createEmitter<{ one: (n: number) => void }>(() => {})
  const tell = emitter.hold()
  for (let n = 0; n < 300; n++) emitter.emit('one', n)
  emitter.on('one', (n) => heard.push(n))
  tell()
  expect([heard.length, heard[0], heard.at(-1)]).toEqual([256, 44, 299])
})
