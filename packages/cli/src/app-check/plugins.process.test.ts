import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTypesApp, type TypesApp } from '../testing/types-app.ts'
import type { StoryTools } from './app-story.ts'
import { openTools } from './plugins.ts'

let app: TypesApp
beforeEach(() => {
  app = makeTypesApp()
  app.declare('sums', 'words')
  app.key({
    plugins: ['sums', 'words'].map((slug) => ({ slug, command: ['svc-no-such-program'] })),
  })
})
afterEach(() => app.remove())

async function notesOf(given: StoryTools): Promise<readonly string[]> {
  const tools = await openTools(readProject(app.dir), given, { signal: undefined, isolation: 'none' })
  await tools.close()
  return tools.notes
}

it('says once that plugins run without isolation, and which do not start', async () => {
  const without = (slug: string) =>
    expect.stringMatching(`^${slug} does not start, so the app is without its tools: `)
  const notes = await notesOf({})
  expect(notes[0]).toBe('WARNING: isolation is switched off: plugins run with your rights.')
  expect([...notes.slice(1)].sort()).toEqual([without('sums'), without('words')])
})

it('starts no plugin whose tools the story of the app gives', async () => {
  expect(await notesOf({ sums: { add: () => 3 }, words: { count: () => 1 } })).toEqual([])
})
