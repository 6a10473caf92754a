import { expect, it } from 'vitest'
import { circlesOf } from './circles.ts'

const graph = (text: string) => {
  const arrows = new Map<string, Set<string>>()
  for (const arrow of text.split(' ').filter(Boolean)) {
    const [from = '', to = ''] = arrow.split('>')
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  }
  return circlesOf(arrows)
}

it.each([
  ['', []],
  ['a>b b>c a>c', []],
  ['a>a', []],
  ['a>b b>a', [['a', 'b']]],
  ['a>b b>c c>a c>d', [['a', 'b', 'c']]],
  [
    'a>b b>a b>c c>d d>e e>c',
    [
      ['c', 'd', 'e'],
      ['a', 'b'],
    ],
  ],
  ['a>b b>c c>b c>a', [['a', 'b', 'c']]],
  ['x>a a>b b>c c>d d>b b>a', [['a', 'b', 'c', 'd']]],
])('finds the circles of "%s"', (text, circles) => {
  expect(graph(text)).toEqual(circles)
})
