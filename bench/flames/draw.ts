import type { Frame } from './stacks.ts'

const WIDTH = 1_200
const ROW = 17
const HEAD = 26
/** About as wide as a letter of the labels is. */
const LETTER = 6.1
/** Frames below this share of the whole are left out; more where the file would be larger than `BYTES_MAX`. */
const SMALLEST_SHARE = 0.003
const BYTES_MAX = 150_000

/** Hues of the places of frames, by which a reader tells our code from others'. */
const hues: readonly (readonly [place: RegExp, hue: number, saturation: number])[] = [
  [/^packages\/host\//, 18, 85],
  [/^packages\//, 42, 85],
  [/^(bench|examples)\//, 90, 45],
  [/^node$/, 215, 12],
  [/^$/, 280, 25],
  [/./, 200, 55],
]

/** Draws a call tree as a flame graph: an SVG that stands by itself, the same for the same tree. */
export function flameGraph(title: string, root: Frame): string {
  for (let share = SMALLEST_SHARE; ; share *= 1.3) {
    const svg = drawn(title, root, share)
    if (svg.length <= BYTES_MAX) return svg
  }
}

function drawn(title: string, root: Frame, share: number): string {
  const least = root.time * share
  const rows = depthOf(root, least)
  const height = HEAD + rows * ROW + 4
  const boxes: string[] = []
  const box = (frame: Frame, from: number, depth: number) => {
    boxes.push(boxOf(frame, root.time, (from / root.time) * WIDTH, height - (depth + 1) * ROW))
    let at = from
    for (const child of frame.children) {
      if (child.time >= least) box(child, at, depth + 1)
      at += child.time
    }
  }
  if (root.time > 0) box(root, 0, 0)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    '<style>rect{stroke:#fff;stroke-width:.5}text{pointer-events:none}g:hover rect{stroke:#000}</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="6" y="17" font-size="13">${escaped(title)}: ${(root.time / 1_000).toFixed(0)} ms of CPU</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n')
}

function boxOf({ name, place, time, self }: Frame, whole: number, x: number, y: number): string {
  const width = (time / whole) * WIDTH
  const percent = (part: number) => `${((part / whole) * 100).toFixed(1)} %`
  const letters = Math.floor((width - 4) / LETTER)
  const label = name.length <= letters ? name : letters < 4 ? '' : `${name.slice(0, letters - 1)}…`
  const text = label && `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`
  const tip = `${name}${place && ` ${place}`}: ${percent(time)}, itself ${percent(self)}`
  return `<g><title>${escaped(tip)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW}" fill="${colourOf(name, place)}"/>${text}</g>`
}

const depthOf = ({ children }: Frame, least: number): number =>
  1 + Math.max(0, ...children.filter(({ time }) => time >= least).map((child) => depthOf(child, least)))

/** Neighbours differ a little in lightness, by their names. */
function colourOf(name: string, place: string): string {
  const [, hue = 0, saturation = 0] = hues.find(([pattern]) => pattern.test(place)) ?? []
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return `hsl(${hue},${saturation}%,${66 + (sum % 12)}%)`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
