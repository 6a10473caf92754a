import { globSync } from 'node:fs'
import path from 'node:path'
import { outputProblems } from '@svc/contract'
import { createRunner } from '@svc/runner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pluginsOf } from '../project/plugins-of.ts'
import { readProject } from '../project/project.ts'
import { callOnce } from '../terminal/call-once.ts'
import { askApp } from './ask-plugins.ts'
import { keepTypes } from './report.ts'
import { openTypesFile, typesNameOf } from './types-file.ts'

const root = path.resolve(import.meta.dirname, '../../../../examples')
const { signal } = new AbortController()
const examples = globSync('*/src/svc-env.d.ts', { cwd: root }).map((file) => file.split(path.sep)[0] ?? '')

it('finds the examples that call tools', () => {
  expect(examples.sort()).toEqual(['csv-lens', 'folder-index'])
})

it.each(examples)('the types of %s are what its plugins say', async (name) => {
  const app = readProject(path.join(root, name))
  const file = await openTypesFile(app.dir, typesNameOf(app))
  const { text } = await askApp(app, signal)
  expect(await keepTypes(file, text, true)).toEqual({ name: 'src/svc-env.d.ts', did: 'same', diff: [] })
})

describe('what the tools of examples return', () => {
  let runner: ReturnType<typeof createRunner>
  beforeAll(() => {
    runner = createRunner({ showStderr: true })
  })
  afterAll(() => runner.close())

  it.each([
    ['csv-lens', 'csv-stats', 'describe_csv', { csv: 'a,b,c\n1,x,\n2,y,\n' }],
    ['csv-lens', 'csv-stats-python', 'describe_csv', { csv: 'a,b,c\n1,x,\n2,y,\n' }],
    ['folder-index', 'folder-index', 'list_folders', {}],
    ['folder-index', 'folder-index', 'index_folder', { folder: 'world/oceans', seconds: 1 }],
  ])('%s: %s.%s returns what its schema says', async (name, slug, tool, args) => {
    const line = pluginsOf([readProject(path.join(root, name))]).find((one) => one.slug === slug)
    if (!line) throw new Error(`${name} has no plugin ${slug}`)
    const plugin = { ...line, id: slug, version: 'local' }
    const described = await runner.describe(plugin)
    const tools = described.ok ? described.description.tools : []
    const schema = tools.find((one) => one.name === tool)?.output_schema
    const call = {
      plugin,
      tool,
      args,
      kind: 'call',
      timeoutMs: 60_000,
      signal,
      onProgress: () => undefined,
    } as const
    const { output } = await callOnce(runner, call)
    expect(schema && outputProblems(schema, output)).toEqual({ problems: [] })
  })
})
