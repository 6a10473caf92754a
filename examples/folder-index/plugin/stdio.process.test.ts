import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import type { Report } from './report.ts'
import { startPlugin, type TestedPlugin } from './testing/plugin.ts'

let plugin: TestedPlugin
beforeAll(() => {
  plugin = startPlugin()
})
afterAll(async () => {
  expect(await plugin.end()).toBe(0)
})

describe('index_folder', () => {
  it.each(['world/oceans', 'world/south-america', 'world/central-asia'])(
    'finds in %s what the independent check finds',
    async (folder) => {
      plugin.index(folder)
      expect((await plugin.reply()).result).toEqual({ output: figuresOf(folder) })
    },
  )

  it('tells how far it is, from the first text to the last, never going back', async () => {
    plugin.index('world/europe')
    const { progress } = await plugin.reply()
    const first = { stage: 'reads the texts', done: 0, of: 55, file: 'akrotiri-sovereign-base.txt', share: 0 }
    expect(progress[0]).toEqual({ ...first, ms: expect.any(Number) })
    for (const key of ['share', 'ms'] as const) {
      const told = progress.map((one) => one[key])
      expect(told).toEqual(told.toSorted((a, b) => a - b))
    }
    expect(progress.every(({ done, of, share }) => done < of && share <= 1)).toBe(true)
  })

  it.each([
    ['atlantis', 'there is no folder "atlantis" with texts in it; there are world, world/africa'],
    ['../src', 'folder must be a path of small letters'],
    ['/etc', 'folder must be a path of small letters'],
    ['', 'folder must be a path of small letters'],
  ])('refuses %j readably', async (folder, sentence) => {
    plugin.index(folder)
    const { result } = await plugin.reply()
    expect(result).toEqual({ success: false, error: expect.stringContaining(sentence) })
  })

  it('compares no more texts than it says, when its time is up before it is done', async () => {
    plugin.index('world', 1)
    const { result, progress } = await plugin.reply()
    const { compared } = (result as { output: Report }).output.facts
    expect(result).toEqual({ output: figuresOf('world', compared) })
    expect(progress.filter(({ stage, of }) => stage === 'compares the texts' && of !== compared)).toEqual([])
    const shares = progress.map(({ share }) => share)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  it.each([0, -1, 3_601])('refuses %j seconds', async (seconds) => {
    plugin.index('world', seconds)
    const error = `seconds must be a number from 1 to 3600, got ${JSON.stringify(seconds)}`
    expect((await plugin.reply()).result).toEqual({ success: false, error })
  })

  it('stops in mid-work when it is cancelled, and takes the next call', async () => {
    plugin.index('world')
    await plugin.reaches('compares the entries')
    plugin.say({ method: 'cancel', params: { id: 'job', reason: 'the wrong folder' } })
    expect((await plugin.reply()).result).toEqual({ success: false, error: 'the wrong folder' })
    plugin.say({ id: 'next', method: 'call', params: { name: 'list_folders' } })
    const folder = { folder: 'world', files: 260, bytes: expect.any(Number) }
    expect((await plugin.reply()).result).toEqual({
      output: { folders: expect.arrayContaining([folder]) },
    })
  })
})
