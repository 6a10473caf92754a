import { expect, it } from 'vitest'
import { grown, openSamples, seriesTable } from './series.ts'

const filled = () => {
  const samples = openSamples()
  for (let at = 0; at < 60; at++)
    samples.add(at / 6, {
      'bytes heap': 5_000_000 + at * 100_000,
      fds: Math.min(at, 15),
      ...(at > 40 && { late: 1 }),
    })
  return samples
}

it('judges each quantity after a third of the time, and takes what was not named for 0', () => {
  const series = filled().series()
  expect(series.map(({ name, first, last, trend }) => [name, first, last, trend])).toEqual([
    ['bytes heap', 7_000_000, 10_900_000, 'grows'],
    ['fds', 15, 15, 'level'],
    ['late', 0, 1, 'level'],
  ])
})

it('names what grows', () => {
  expect(grown(filled().series())).toEqual(['bytes heap'])
})

it('shows them, bytes in kB, with a mark at what grows', () => {
  const [head, heap, fds] = seriesTable(filled().series()).split('\n')
  expect(head).toMatch(/^quantity +first +median +last +a minute \[99 %\] +trend$/)
  expect(heap).toMatch(/^bytes heap +7000 kB +8950 kB +10900 kB +600\.0 kB \[.*\] +! grows$/)
  expect(fds).toMatch(/^fds +15 +15 +15 +0\.00 \[0\.00 – 0\.00\] +level$/)
})
