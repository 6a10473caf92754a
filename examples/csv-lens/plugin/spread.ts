import { exactSum } from './exact-sum.ts'
import type { NumberColumn } from './report.ts'
import { EDGE_DIGITS, HISTOGRAM_BINS } from './report.ts'

/** The figures that only numbers have, as `report.ts` defines them, of at least one value. */
export function spread(
  values: Float64Array,
): Pick<NumberColumn, 'min' | 'max' | 'mean' | 'quartiles' | 'histogram'> {
  const sorted = values.toSorted()
  const min = value(sorted, 0)
  const max = value(sorted, sorted.length - 1)
  const sumFits = Number.isFinite(Math.max(Math.abs(min), Math.abs(max)) * sorted.length)
  return {
    min,
    max,
    mean: sumFits ? exactSum(values) / values.length : null,
    quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)],
    histogram: histogram(sorted, min, max),
  }
}

function quantile(sorted: Float64Array, p: number): number {
  const place = (sorted.length - 1) * p
  const index = Math.floor(place)
  const fraction = place - index
  const low = value(sorted, index)
  const high = fraction === 0 ? low : value(sorted, index + 1)
  return low === high ? low : low * (1 - fraction) + high * fraction
}

function histogram(sorted: Float64Array, min: number, max: number): NumberColumn['histogram'] {
  const bins = min === max ? 1 : HISTOGRAM_BINS
  const edges = [min]
  const below = [0]
  let edge = min
  for (let bin = 1; bin < bins; bin++) {
    const share = bin / bins
    const tidy = Number((min * (1 - share) + max * share).toPrecision(EDGE_DIGITS))
    edge = Math.min(Math.max(tidy, edge), max)
    edges.push(edge)
    below.push(countBelow(sorted, edge))
  }
  edges.push(max)
  below.push(sorted.length)
  return { edges, counts: below.slice(1).map((upTo, bin) => upTo - (below[bin] ?? 0)) }
}

/** How many values of the sorted list are less than the limit. */
function countBelow(sorted: Float64Array, limit: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (value(sorted, middle) < limit) from = middle + 1
    else to = middle
  }
  return from
}

function value(values: Float64Array, index: number): number {
  const found = values[index]
  if (found === undefined) throw new RangeError(`a value ${index} of ${values.length} was asked for`)
  return found
}
