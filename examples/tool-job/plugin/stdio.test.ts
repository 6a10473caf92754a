import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import type { Progress } from './report.ts'

/** What can come out of the plugin. */
interface Line {
  readonly id?: string
  readonly result?: unknown
  readonly method?: string
  readonly params?: { readonly id: string; readonly data: Progress }
}

let child: ChildProcess
let lines: AsyncIterator<string>

beforeEach(() => {
  child = spawn('node', [path.join(import.meta.dirname, 'node.ts')], { stdio: ['pipe', 'pipe', 'ignore'] })
  lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })[Symbol.asyncIterator]()
})
afterEach(async () => {
  child.stdin?.end()
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
})

const say = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const hear = async (): Promise<Line> => JSON.parse((await lines.next()).value)
const call = (folder: unknown) =>
  say({ id: 'job', method: 'call', params: { name: 'index_folder', args: { folder } } })

/** The reply, and the progress before it. */
async function reply(): Promise<{ result: unknown; progress: Progress[] }> {
  const progress: Progress[] = []
  for (;;) {
    const line = await hear()
    if (line.params) progress.push(line.params.data)
    else return { result: line.result, progress }
  }
}

describe('index_folder', { timeout: 60_000 }, () => {
  it.each(['world/oceans', 'world/south-america', 'world/central-asia'])(
    'finds in %s what the independent check finds',
    async (folder) => {
      call(folder)
      expect((await reply()).result).toEqual({ output: figuresOf(folder) })
    },
  )

  it('tells how far it is, from the first text to the last, never going back', async () => {
    call('world/europe')
    const { progress } = await reply()
    expect(progress[0]).toEqual({
      ...{ stage: 'read', done: 0, of: 55, file: 'akrotiri-sovereign-base.txt', share: 0 },
      ms: expect.any(Number),
    })
    const ordered = (key: 'share' | 'ms') => progress.map((one) => one[key])
    for (const key of ['share', 'ms'] as const)
      expect(ordered(key)).toEqual(ordered(key).toSorted((a, b) => a - b))
    expect(progress.every(({ done, of, share }) => done < of && share <= 1)).toBe(true)
  })

  it.each([
    ['atlantis', 'there is no folder "atlantis" with texts in it; there are world, world/africa'],
    ['../src', 'folder must be a path of small letters'],
    ['/etc', 'folder must be a path of small letters'],
    ['', 'folder must be a path of small letters'],
  ])('refuses %j readably', async (folder, sentence) => {
    call(folder)
    expect((await reply()).result).toEqual({ success: false, error: expect.stringContaining(sentence) })
  })

  it('stops in mid-work when it is cancelled, and takes the next call', async () => {
    call('world')
    while ((await hear()).params?.data.stage !== 'entries');
    say({ method: 'cancel', params: { id: 'job', reason: 'the wrong folder' } })
    expect((await reply()).result).toEqual({ success: false, error: 'the wrong folder' })
    say({ id: 'next', method: 'call', params: { name: 'list_folders' } })
    const { result } = await reply()
    expect(result).toMatchObject({
      output: { folders: expect.arrayContaining([expect.objectContaining({ folder: 'world', files: 260 })]) },
    })
  })
})
