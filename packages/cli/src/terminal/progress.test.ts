import { expect, it } from 'vitest'
import { bytesText, countText } from './amount.ts'
import { openProgress } from './progress.ts'

function started(isTTY: boolean) {
  let time = 0
  const written: string[] = []
  const output = { isTTY, write: (text: string) => written.push(text) }
  const progress = openProgress('copying', output, () => time)
  return {
    ...progress,
    written,
    at(ms: number, done: number, total: number) {
      time = ms
      progress.show(done, total)
    },
  }
}

it('says nothing of what takes less than a second', () => {
  const { at, end, written } = started(true)
  at(0, 0, 10)
  at(999, 9, 10)
  end()
  expect(written).toEqual([])
})

it('writes one line on a terminal anew, and takes it away', () => {
  const { at, end, written } = started(true)
  at(1_000, 1, 3)
  at(1_100, 2, 3)
  at(1_200, 4, 3)
  end()
  expect(written).toEqual(['\r\u001b[Kcopying: 33 %', '\r\u001b[Kcopying: 100 %', '\r\u001b[K'])
})

it('writes a line each ten seconds into a log', () => {
  const { at, end, written } = started(false)
  for (let ms = 0; ms <= 21_000; ms += 500) at(ms, ms, 42_000)
  at(31_000, 0, 0)
  end()
  expect(written).toEqual(['copying: 2 %\n', 'copying: 26 %\n', 'copying: 50 %\n', 'copying: 100 %\n'])
})

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 KB'],
  [3_450_000, '3.5 MB'],
  [7e15, '7000.0 TB'],
])('%i bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

it.each([
  [1, '1 record'],
  [0, '0 records'],
])('%i of them are %s', (count, text) => expect(countText(count, 'record')).toBe(text))
