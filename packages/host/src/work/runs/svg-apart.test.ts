import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openThreads } from '../../kernel/threads/threads.ts'
import { svgFaultInTurns } from './svg.ts'

const threads = openThreads()
const large = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(50_000)}${inner}</svg>`)

verifies.each('pause.loop')([
  ['stands alone', large(''), null],
  ['has a script', large('<script/>'), 'must hold no script'],
  ['names another', large('<a href="https://site.org"/>'), 'must have no reference outside itself'],
  ['is no UTF-8', Buffer.concat([large(''), Buffer.of(0xff)]), 'must be written in UTF-8'],
])('a large SVG that %s is judged as a small one is', async (_name, bytes, fault) => {
  expect(await svgFaultInTurns(threads, 'ada', bytes)).toBe(fault)
})
