import type { Histogram } from '../plugin/report.ts'
import { formatCount, formatNumber } from './format.ts'

const WIDTH = 160
const HEIGHT = 44
const GAP = 1
/** A bin that holds anything is seen, however small its share. */
const BAR_MIN = 1.5

/** Draws a histogram; each bar tells its range and count, and the whole is one picture to a screen reader. */
export function drawHistogram({ edges, counts }: Histogram, name: string, locale: string): SVGSVGElement {
  const most = Math.max(...counts)
  const step = WIDTH / counts.length
  const total = formatCount(
    counts.reduce((sum, count) => sum + count, 0),
    locale,
  )
  const picture = draw('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'histogram', role: 'img' })
  picture.setAttribute(
    'aria-label',
    `How ${total} values of ${name} spread over ${counts.length} equal ranges`,
  )
  const bars = counts.map((count, at) => {
    const height = count === 0 ? 0 : Math.max(BAR_MIN, (count / most) * HEIGHT)
    const bar = draw('rect', { x: at * step, y: HEIGHT - height, width: step - GAP, height, rx: 1 })
    const range = [edges[at] ?? 0, edges[at + 1] ?? 0].map((edge) => formatNumber(edge, locale)).join(' – ')
    const tip = draw('title')
    tip.textContent = `${range}: ${formatCount(count, locale)}`
    bar.append(tip)
    return bar
  })
  picture.append(...bars)
  return picture
}

function draw<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  return element
}
