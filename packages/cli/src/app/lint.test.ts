import type { ManifestInput } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { lintBundle } from './lint.ts'
import { manifestLines } from './manifest-lines.ts'

const page = '<!doctype html><script type="module" src="./main.js"></script>'

function lint(manifest: unknown, files: Record<string, string> = { 'index.html': page, 'main.js': '' }) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const))
  return lintBundle({ manifest: { value: manifest }, files: bytes, leftOut: new Map(), problems: [] })
}

const view = { name: 'main' }
const manifest = (more: Partial<ManifestInput> = {}, ui: object = {}) => ({
  schema: 3,
  name: 'Notes',
  version: '1.0.0',
  ui: { bundle: { entry: 'index.html' }, views: [view], ...ui },
  ...more,
})
const withApi = (host_api: object, more: Partial<ManifestInput> = {}) => manifest(more, { host_api })

it('finds nothing in a sound app', () => {
  const host_api = {
    storage: ['*'],
    llm: ['complete'],
    tools: ['required:*'],
    agent: { session: { auto: true } },
  }
  expect(lint(withApi(host_api, { required_plugs: ['tool-a'] }))).toEqual([])
})

describe('what the host would refuse', () => {
  it.each([
    ['no manifest', 'text', 'manifest.json', 'it must be an object, got "text"'],
    [
      'a key that nobody reads',
      manifest({}, { host_apis: {} }),
      'manifest.json',
      'unknown key `ui.host_apis`; did you mean `ui.host_api`?',
    ],
    ['no views', manifest({}, { views: [] }), 'manifest.json', 'ui.views must have at least 1 item, got []'],
    [
      'permissions at schema 3',
      manifest({ permissions: [] }),
      'manifest.json',
      'permissions is not allowed at schema 3; declare methods under ui.host_api instead, got []',
    ],
    [
      'an unknown method',
      withApi({ storage: ['read'] }),
      'manifest.json ui.host_api.storage',
      'there is no method storage.read',
    ],
    [
      'an unknown namespace',
      withApi({ disk: ['*'] }),
      'manifest.json ui.host_api.disk',
      'there is no namespace disk',
    ],
    [
      'no entry file',
      manifest({}, { bundle: { entry: 'app.html' } }),
      'manifest.json ui.bundle.entry',
      'there is no file "app.html"',
    ],
  ])('%s', (_, input, where, problem) => {
    expect(lint(input)).toContainEqual(expect.objectContaining({ level: 'error', where, problem }))
  })

  it('what breaks the rules of bundles, whatever the manifest says', () => {
    const problems = ['the path "a\\\\b" must not have a backslash']
    expect(
      lintBundle({
        manifest: { problem: 'there is no manifest.json' },
        files: new Map(),
        leftOut: new Map(),
        problems,
      }),
    ).toEqual([
      { level: 'error', where: 'manifest.json', problem: 'there is no manifest.json' },
      { level: 'error', where: 'files', problem: problems[0] },
    ])
  })

  it('more than one body takes', () => {
    const files = { 'index.html': page, big: 'x'.repeat(51_000_000) }
    expect(lint(manifest(), files)[0]?.problem).toBe(
      'the files are 68000084 bytes as base64; a push may have 67108864',
    )
  })
})

describe('what an app asks for in vain', () => {
  it.each([
    [
      'a plug that no entry lets through',
      withApi({ tools: ['tool-b'] }, { optional_plugs: ['tool-a', 'tool-b'] }),
      'manifest.json optional_plugs.0',
      'no entry of ui.host_api.tools allows this plugin, so its tools cannot be called',
    ],
    [
      'an entry that means no plug',
      withApi({ tools: ['required:*', 'tool-b'] }, { required_plugs: ['tool-a'] }),
      'manifest.json ui.host_api.tools',
      '"tool-b" means no declared plugin',
    ],
    [
      'permissions at schema 2',
      manifest({ schema: 2, permissions: ['storage'] }),
      'manifest.json permissions',
      'permissions allow nothing, and are refused at schema 3',
    ],
    [
      'two defaults',
      manifest(
        {},
        {
          views: [
            { ...view, default: true },
            { name: 'b', default: true },
          ],
        },
      ),
      'manifest.json ui.views',
      'more than one view is the default; the first of them opens',
    ],
    [
      'an agent without a submode',
      withApi({ agent: {} }),
      'manifest.json ui.host_api.agent',
      'no submode is enabled, so the agent is not granted',
    ],
    [
      'a host of nobody',
      manifest({}, { csp: { connect_src: ['https://10.0.0.1'] } }),
      'manifest.json ui.csp',
      'https://10.0.0.1 is not a public host name',
    ],
    [
      'window methods',
      withApi({ window: ['close'] }),
      'manifest.json ui.host_api.window',
      'window is always allowed',
    ],
  ])('%s', (_, input, where, problem) => {
    expect(lint(input)).toEqual([expect.objectContaining({ level: 'hint', where, problem })])
  })

  it.each([
    [
      '<script src="https://cdn.site.org/a.js"></script>',
      'a script is loaded from another host, which the page refuses',
    ],
    ['<script>start()</script>', 'a script is inline in the page, which is refused'],
    [
      '<link rel="stylesheet" href="//fonts.site.org/a.css">',
      'a style or font is loaded from another host, which the page refuses',
    ],
    [
      '<img src="/logo.png">',
      'a file is loaded from a path that begins with "/", which is not the folder of the bundle',
    ],
    ['<button onclick="go()">', 'an element has a handler in an attribute, which is refused'],
  ])('the page %s', (html, problem) => {
    expect(lint(manifest(), { 'index.html': html })).toEqual([
      expect.objectContaining({ level: 'hint', where: 'index.html', problem }),
    ])
    expect(lint(manifest(), { 'index.html': `<!-- ${html} -->` })).toEqual([])
  })

  const pages = { 'index.html': page, 'main.js': '', 'more.html': page }
  const more = 'more.html is a page beside the entry, and a link to one gets 403'
  it.each([
    ['one page', {}, { 'index.html': page, 'main.js': '' }, []],
    ['two pages', {}, pages, [more]],
    [
      'three pages',
      {},
      { ...pages, 'x/A.HTML': '' },
      [expect.stringContaining('more.html, x/A.HTML are pages')],
    ],
    ['two pages that it names', { multi_page: true }, pages, []],
  ])('a bundle of %s', (_, said, files, problems) => {
    const found = lint(manifest({}, { bundle: { entry: 'index.html', ...said } }), files)
    expect(found.map(({ problem }) => problem)).toEqual(problems)
  })

  it('says in a line that a folder cannot be looked over', async () => {
    expect(await manifestLines({ name: 'Tiny', bundleDir: '/no/such/folder' })).toEqual([
      expect.stringMatching(/^Tiny: its manifest could not be checked: ENOENT.*no\/such\/folder/),
    ])
  })

  it.each(['required:*', 'tool-a', 'required:tool-a', 'bundled:tool-a', 'anything:tool-a', 'handle-a'])(
    'takes the entry %s for the plug that it means',
    (entry) => {
      const plug = { tool_id: 'tool-a', handle: 'handle-a' }
      expect(lint(withApi({ tools: [entry] }, { required_plugs: [plug] }))).toEqual([])
    },
  )
})
