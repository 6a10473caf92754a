import type { Profiler } from 'node:inspector'

/** A frame of a merged call tree: all samples that have the same callers. */
export interface Frame {
  readonly name: string
  /** Where the function is: file of the repository or package and line; empty for what V8 does itself. */
  readonly place: string
  /** Of this frame and those that it called, in µs. */
  readonly time: number
  /** Of this frame alone, in µs. */
  readonly self: number
  /** By name and place, so that the same profile is drawn the same each time. */
  readonly children: readonly Frame[]
}

interface Growing {
  readonly name: string
  readonly place: string
  self: number
  readonly children: Map<string, Growing>
}

/** A thread that waits takes no time of a core. */
const WAITING = '(idle)'

/**
 * Merges the samples of a `.cpuprofile` into one tree. Frames of Node that follow each other become one, named by the
 * module that was called first: what is inside is not ours to mend.
 */
export function mergedStacks({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Frame {
  const times = new Map<number, number>()
  samples.forEach((id, at) => {
    times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[at] ?? 0))
  })
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const root: Growing = grown('all', '')
  const add = (node: Profiler.ProfileNode, parent: Growing) => {
    if (node.callFrame.functionName === WAITING) return
    const into = node.callFrame.functionName === '(root)' ? root : childOf(parent, node.callFrame)
    into.self += times.get(node.id) ?? 0
    for (const id of node.children ?? []) add(byId.get(id) as Profiler.ProfileNode, into)
  }
  if (nodes[0]) add(nodes[0], root)
  return finished(root)
}

const grown = (name: string, place: string): Growing => ({ name, place, self: 0, children: new Map() })

function childOf(
  parent: Growing,
  { functionName, url, lineNumber }: Profiler.ProfileNode['callFrame'],
): Growing {
  const isNode = url.startsWith('node:')
  if (isNode && parent.place === 'node') return parent
  const name = isNode ? moduleOf(url) : functionName || '(anonymous)'
  const place = isNode ? 'node' : url && `${shortened(url)}:${lineNumber + 1}`
  const key = `${name} ${place}`
  const child = parent.children.get(key) ?? grown(name, place)
  parent.children.set(key, child)
  return child
}

/** `node:internal/streams/writable` is `node:internal/streams`. */
const moduleOf = (url: string) => url.split('/').slice(0, 2).join('/')

/** The path from the repository or the package on: what is before it differs between machines. */
function shortened(url: string): string {
  const parts = url.replace(/^file:\/\//, '').split('/node_modules/')
  return parts.length > 1
    ? (parts.at(-1) as string)
    : url.replace(/^.*\/((?:packages|bench|examples)\/)/, '$1')
}

function finished({ name, place, self, children }: Growing): Frame {
  const below = [...children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, child]) => finished(child))
    .filter(({ time }) => time > 0)
  return { name, place, self, time: below.reduce((sum, child) => sum + child.time, self), children: below }
}
