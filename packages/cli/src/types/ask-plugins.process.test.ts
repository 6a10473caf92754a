import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTypesApp, type TypesApp } from '../testing/types-app.ts'
import { askApp } from './ask-plugins.ts'

let app: TypesApp
beforeEach(() => {
  app = makeTypesApp()
})
afterEach(() => app.remove())

const ask = async () => askApp(readProject(app.dir), new AbortController().signal)

it('asks the plugins that the manifest declares, and no other', async () => {
  app.key({
    plugins: [app.plugin('sums', [{ name: 'add' }]), { slug: 'spare', command: ['svc-no-such-program'] }],
  })
  app.declare('sums', { tool_id: 'tool-ada-maps-1', handle: 'maps' }, { handle: 'sums' })
  const { text, ...rest } = await ask()
  expect(rest).toEqual({
    plugins: [{ slug: 'sums', tools: ['add'] }],
    open: ['tool-ada-maps-1', 'maps'],
    unused: ['spare'],
  })
  expect(text).toContain('    sums: {\n      add: {\n')
})

it('knows a plugin by both names that the manifest gives it', async () => {
  app.key({ plugins: [app.plugin('sums', [{ name: 'add' }])] })
  app.declare({ tool_id: 'tool-ada-sums-1', handle: 'sums' })
  const { text, open } = await ask()
  expect(open).toEqual([])
  expect(text).toContain('    sums: {\n      add: {\n')
  expect(text).toContain("    'tool-ada-sums-1': KnownTools['sums']\n")
})

const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) })

it.each([
  [
    'a manifest that is not JSON',
    () => app.put('public/manifest.json', '{'),
    'config',
    /public\/manifest\.json:\d+:\d+ /,
    'svc app lint says what else is wrong with it.',
  ],
  [
    'a manifest that no host takes',
    () => app.put('public/manifest.json', '{"schema":4}'),
    'config',
    /^public\/manifest\.json of svc-typed-\S+ cannot be used: schema must be one of 1, 2, 3, got 4$/,
    'svc app lint says what else is wrong with it.',
  ],
  [
    'a plugin whose program is not there',
    () => app.key({ plugins: [{ slug: 'sums', command: ['svc-no-such-program', '-x'] }] }),
    'failed',
    /^the plugin sums did not say what tools it has: .*svc-no-such-program/,
    /^Start it by hand in \S+: svc-no-such-program -x$/,
  ],
  [
    'a plugin that ends at once',
    () => {
      app.put('plugin/sums.mjs', `console.error('no key'); process.exit(3)`)
      app.key({ plugins: [{ slug: 'sums', command: ['node', 'plugin/sums.mjs'] }] })
    },
    'failed',
    /^the plugin sums did not say what tools it has: The plugin ended with exit code 3 .*: no key\)$/,
    /^Start it by hand in \S+: node plugin\/sums\.mjs$/,
  ],
  [
    'a plugin that is too large for types',
    () => app.key({ plugins: [app.plugin('sums', [{ name: 'add', input_schema: deep(200) }])] }),
    'failed',
    /^the tool "add" of the plugin "sums" cannot be typed: its input_schema is nested deeper than 100 levels$/,
    'The author of the plugin can make it smaller.',
  ],
  [
    'two plugins of one name',
    () => {
      const sums = app.plugin('sums', [])
      app.key({ plugins: [sums, sums] })
    },
    'config',
    /^svc\.plugins of svc-typed-\S+ names the slug sums twice$/,
    'Give each plugin a slug of its own in package.json, and in the manifest of its app.',
  ],
])('says in a sentence and a hint what is wrong with %s', async (_, make, kind, message, hint) => {
  app.declare('sums')
  make()
  await expect(ask()).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  })
})

it('ends its processes when it is stopped', async () => {
  app.put('plugin/sums.mjs', 'setInterval(() => {}, 1_000)')
  app.key({ plugins: [{ slug: 'sums', command: ['node', 'plugin/sums.mjs'] }] })
  app.declare('sums')
  const controller = new AbortController()
  const asked = askApp(readProject(app.dir), controller.signal)
  controller.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
})
