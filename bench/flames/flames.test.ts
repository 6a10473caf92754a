import type { Profiler } from 'node:inspector'
import { describe, expect, it } from 'vitest'
import { flameGraph } from './draw.ts'
import { mergedStacks } from './stacks.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({
  functionName,
  url,
  lineNumber,
  columnNumber: 0,
  scriptId: '0',
})
const node = (id: number, callFrame: Profiler.ProfileNode['callFrame'], children: number[] = []) => ({
  id,
  callFrame,
  children,
})
const host = 'file:///home/ann/svc/packages/host/src/calls.ts'

/** Two ways to `parse`, one through Node; a wait; and a call whose samples are two. */
const profile = {
  nodes: [
    node(1, frame('(root)'), [2, 3, 4]),
    node(2, frame('(idle)')),
    node(3, frame('onRead', 'node:internal/streams/readable'), [5]),
    node(4, frame('dispatch', host, 9), [7]),
    node(5, frame('push', 'node:internal/streams/utils'), [6]),
    node(6, frame('dispatch', host, 9)),
    node(7, frame('', 'file:///x/node_modules/.pnpm/ws@8/node_modules/ws/lib/a.js', 4)),
  ],
  samples: [2, 6, 7, 4, 5, 3],
  timeDeltas: [1_000, 10, 20, 30, 4, 5],
  startTime: 0,
  endTime: 1_069,
} satisfies Profiler.Profile

describe('mergedStacks', () => {
  it('adds times up, leaves waits out, and makes one frame of Node frames in a row', () => {
    const shown = ({ name, place, time, self, children }: ReturnType<typeof mergedStacks>): unknown => [
      `${name} ${place} ${time} ${self}`,
      ...children.map(shown),
    ]
    expect(shown(mergedStacks(profile))).toEqual([
      'all  69 0',
      ['dispatch packages/host/src/calls.ts:10 50 30', ['(anonymous) ws/lib/a.js:5 20 20']],
      ['node:internal/streams node 19 9', ['dispatch packages/host/src/calls.ts:10 10 10']],
    ])
  })

  it('has no time where nothing was sampled', () => {
    expect(mergedStacks({ nodes: [], startTime: 0, endTime: 0 })).toMatchObject({ time: 0, children: [] })
  })
})

describe('flameGraph', () => {
  it('is the same each time, as wide as the time is, with what a frame is as its title', () => {
    const svg = flameGraph('calls <before>', mergedStacks(profile))
    expect(flameGraph('calls <before>', mergedStacks(profile))).toBe(svg)
    expect(svg).toContain('calls &lt;before&gt;: 0 ms of CPU')
    expect(svg).toContain('<title>dispatch packages/host/src/calls.ts:10: 72.5 %, itself 43.5 %</title>')
    expect(svg).toMatch(/dispatch [^<]*<\/title><rect x="0.0" y="\d+" width="869.6"/)
  })

  it('leaves out frames below 0.3 %, and more where the file would be large', () => {
    const leaf = (self: number, at: number) => ({
      name: `leaf${at}`,
      place: '',
      time: self,
      self,
      children: [],
    })
    const flat = (leaves: readonly number[]) => ({
      ...leaf(0, -1),
      time: leaves.reduce((sum, time) => sum + time, 0),
      children: leaves.map(leaf),
    })
    expect(flameGraph('few', flat([10_000, 100, 20]))).not.toContain('leaf2')
    expect(flameGraph('few', flat([10_000, 100, 20]))).toContain('leaf1')
    const deep = (depth: number): ReturnType<typeof leaf> & { children: unknown[] } => ({
      name: `${'deep'.repeat(40)}${depth}`,
      place: '',
      time: 1_000 - depth,
      self: 1,
      children: depth < 500 ? ([deep(depth + 1)] as never) : [],
    })
    expect(flameGraph('many', deep(0)).length).toBeLessThanOrEqual(150_000)
  })
})
