import { createTestHost, type ToolCall } from '@svc/testing'
import { expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import manifest from '../public/manifest.json' with { type: 'json' }
import { indexFolder } from './index-folder.ts'
import type { Report } from './report.ts'

/** Time that goes by from one look at the clock to the next. */
const STEP_MS = 50
const FOLDER = 'world/europe'

it('compares the first texts that fit into the time, and says how many', async () => {
  let ms = 0
  const now = () => {
    ms += STEP_MS
    return ms
  }
  const index_folder = (_: unknown, call: ToolCall) => indexFolder(FOLDER, 1, call, now)
  await using host = await createTestHost({ manifest, tools: { 'folder-index': { index_folder } } })
  const { svc } = await host.openWindow()
  const report = await svc.tools.invoke<Report>({ tool_id: 'folder-index', method: 'index_folder' })
  const { compared, files } = report.facts
  expect(compared).toBeGreaterThan(0)
  expect(compared).toBeLessThan(files)
  expect(report).toEqual(figuresOf(FOLDER, compared))
})
