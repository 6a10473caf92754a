import { expect, it } from 'vitest'
import { openFolder } from './index.ts'

it.each([
  [
    'a',
    { durability: { records: 'Power' } },
    'durability.records must be "power" or "process", got "Power"; did you mean `power`?',
  ],
  ['a', { durability: 'power' }, 'durability must be an object with records, journals, got "power"'],
  [
    'a',
    { durability: { jornals: 'power' } },
    'unknown option `durability.jornals`; did you mean `journals`?',
  ],
  ['a', { maxBytes: '1' }, 'maxBytes must be a whole number of at least 1, got "1"; write 1 without quotes'],
  ['a', { onLost: true }, 'onLost must be a function, got true'],
  ['a', { clock: {} }, 'clock must be an object with the methods now, setTimer, got an object'],
  ['', {}, 'dir must be a text that is not empty, got ""'],
  [7, {}, 'dir must be a text that is not empty, got 7'],
])('openFolder(%j, %j) is refused before a folder is made', async (dir, options, sentence) => {
  await expect(openFolder(dir as never, options as never)).rejects.toThrow(`openFolder: ${sentence}`)
})
