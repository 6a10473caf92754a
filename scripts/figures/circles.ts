/** From → to. A node that is only a target counts as well. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The circles of a graph: groups of at least two nodes of which each reaches each (strongly connected components,
 * Tarjan's algorithm), the largest first.
 *
 * @example circlesOf(new Map([['a', new Set(['b'])], ['b', new Set(['a', 'c'])]])) // [['a', 'b']]
 */
export function circlesOf(arrows: Arrows): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    open.push(node)
    let low = own
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === own) {
      const group = open.splice(open.indexOf(node))
      if (group.length > 1) circles.push(group.sort())
    }
    return low
  }
  for (const node of arrows.keys()) if (!order.has(node)) visit(node)
  return circles.sort((a, b) => b.length - a.length)
}
