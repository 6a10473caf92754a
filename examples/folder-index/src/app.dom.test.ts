import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Svc } from '@svc/sdk'
import { createTestHost, type TestHost, type TestWindow, type ToolCall } from '@svc/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { indexFolder } from '../plugin/index-folder.ts'
import type { Progress } from '../plugin/report.ts'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')
const FOLDER = 'world/oceans'

let host: TestHost
let opened: TestWindow
/** Another window of the app, which starts jobs too. */
let other: Svc
/** What the list of folders waits for. */
let listing: Promise<void> | undefined
/** Lets the tool, which has told how far it is, finish its work. */
let finish: () => void

const tools = {
  'folder-index': {
    list_folders: async () => {
      await listing
      return { folders: [{ folder: FOLDER, files: 5, bytes: 2_048 }] }
    },
    async index_folder({ folder }: { folder: string }, call: ToolCall) {
      if (folder === 'atlantis') throw new Error('there is no folder "atlantis"')
      call.progress({
        stage: 'reads the texts',
        done: 2,
        of: 5,
        file: 'arctic-ocean.txt',
        share: 0.4,
        ms: 500,
      } satisfies Progress)
      await new Promise<void>((resolve, reject) => {
        finish = resolve
        call.signal.addEventListener('abort', () => reject(call.signal.reason))
      })
      return indexFolder(folder, 1, call, () => 0)
    },
  },
}

beforeEach(async () => {
  host = await createTestHost({ manifest, tools })
  other = (await host.openWindow()).svc
  opened = await host.openWindow({ document: globalThis })
  await load()
})
afterEach(() => host.close())

/** Loads the document of the app, as a reload does. */
async function load(): Promise<void> {
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  vi.resetModules()
  await import('./main.ts')
  await host.clock.settled()
}
const textOf = (id: string) => byId(id).textContent
const card = () => document.querySelector('.job') as HTMLElement
/** What has this label in the card; happy-dom does not make attributes of such properties. */
const labelled = (label: string) =>
  [...card().querySelectorAll<HTMLInputElement>('button, input')].find(({ ariaLabel }) => ariaLabel === label)
/** Starts a job and lets it come as far as its first progress. */
async function start(folder: string): Promise<void> {
  byId('folder', HTMLInputElement).value = folder
  byId('go').click()
  await host.clock.advance(200)
}
async function finishWork(): Promise<void> {
  finish()
  await expect.poll(() => host.busy).toEqual([])
  await host.clock.advance(1_000)
}

it('offers the folders of the plugin, and says that there are no jobs', () => {
  expect([byId('folder', HTMLInputElement).value, textOf('extent')]).toEqual([FOLDER, '5 texts, 2 KiB'])
  expect([byId('none').hidden, byId('jobs').hidden]).toEqual([false, false])
})

it('takes a folder while the plugin still starts, and keeps what was typed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  listing = promise
  const loading = load()
  await expect.poll(() => byId('start').hidden).toBe(false)
  byId('folder', HTMLInputElement).value = 'world'
  listing = undefined
  resolve()
  await loading
  expect([byId('folders').children.length, byId('folder', HTMLInputElement).value]).toEqual([1, 'world'])
})

verifies('job.success.stored', 'shows how far a job is, and its index when it has ended', async () => {
  await start(FOLDER)
  const bar = card().querySelector('[role=progressbar]') as HTMLElement
  expect([card().dataset.state, bar.ariaValueText]).toEqual([
    'running',
    '40%, reads the texts: 2 of 5, about 0.8 s left',
  ])
  await finishWork()
  expect([card().dataset.state, textOf('news')]).toEqual(['succeeded', `${FOLDER}: done`])
  expect(textOf('report-facts')).toMatch(/^5 texts · /)
  expect(byId('texts').children).toHaveLength(5)
})

verifies('job.failure.error', 'shows why a job failed', async () => {
  await start('atlantis')
  await host.clock.advance(1_000)
  expect(card().querySelector('[role=alert]')?.textContent).toMatch(/there is no folder "atlantis"\./)
})

verifies('job.cancel.reason', 'cancels a job, and shows the reason as the text that it is', async () => {
  await start(FOLDER)
  labelled(`Cancel ${FOLDER} …`)?.click()
  const reason = labelled(`Why cancel ${FOLDER}?`) as HTMLInputElement
  reason.value = 'it takes <b>too</b> long'
  reason.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
  await host.clock.advance(1_000)
  expect([card().dataset.state, textOf('news')]).toEqual([
    'cancelled',
    `${FOLDER}: cancelled: Reason: it takes <b>too</b> long`,
  ])
  expect([host.busy, byId('trouble').hidden]).toEqual([[], true])
})

it('finds a running job after a reload, and goes on from where it is', async () => {
  await start(FOLDER)
  opened.reload()
  await load()
  expect(card().querySelector('.percent')?.textContent).toBe('40%')
  await finishWork()
  expect([card().dataset.state, byId('report').hidden]).toEqual(['succeeded', false])
})

/** Starts a job in the other window. */
const startElsewhere = () =>
  other.tools.invokeAsync({
    tool_id: 'folder-index',
    method: 'index_folder',
    args: { folder: FOLDER },
    clientTag: FOLDER,
  })

it('shows a job that another window starts', async () => {
  await startElsewhere()
  await host.clock.advance(200)
  expect([card().dataset.state, textOf('cards')]).toEqual(['running', expect.stringContaining(FOLDER)])
  await finishWork()
  expect(card().dataset.state).toBe('succeeded')
})

it('shows a job that began while the event stream was cut', async () => {
  await host.fault.cutStream()
  await startElsewhere()
  await host.clock.settled()
  expect(card()).toBeNull()
  await host.clock.advance(2_000)
  expect(card().dataset.state).toBe('running')
  await finishWork()
  expect(card().dataset.state).toBe('succeeded')
})

it('shows that the plugin crashed, and starts the next job', async () => {
  await start(FOLDER)
  await host.fault.killPlugin('folder-index')
  await host.clock.advance(1_000)
  expect(card().dataset.state).toBe('failed')
  expect(card().querySelector('[role=alert]')?.textContent).toMatch(/^The plugin ended by signal SIGKILL/)
  await start(FOLDER)
  await finishWork()
  expect(card().dataset.state).toBe('succeeded')
})

it('goes on where its token has expired', async () => {
  await start(FOLDER)
  await host.fault.expireToken()
  await finishWork()
  expect([card().dataset.state, byId('trouble').hidden]).toEqual(['succeeded', true])
})

it('shows that the host cannot be reached, and starts the job when it is back', async () => {
  await host.fault.hostGone()
  await start(FOLDER)
  expect(byId('trouble').dataset.code).toBe('host_unreachable')
  await host.fault.hostBack()
  await start(FOLDER)
  await finishWork()
  expect([card().dataset.state, byId('trouble').hidden]).toEqual(['succeeded', true])
})
