import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startSvc } from '../packages/cli/src/testing/cli.ts'
import { blocksOf } from './page-commands.ts'

/** Several servers start, on a busy machine. */
const START_MS = 60_000
const page = 'docs/guides/mcp-servers.md'
/** Where servers may be installed: ours, and what a release has installed. */
const places = [
  path.resolve('packages/mcp/node_modules'),
  ...globSync(path.join(homedir(), '.cache/svc-mcp-servers/*/node_modules')),
]

interface App {
  readonly svc: {
    readonly plugins: readonly { readonly slug: string; readonly command: readonly string[] }[]
  }
}

const apps = blocksOf(readFileSync(page, 'utf8'))
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text) as Partial<App>)
  .filter((one): one is App => one.svc !== undefined)

it('the guide to MCP servers has apps', () => {
  expect(apps.length).toBeGreaterThan(1)
})

it.for(apps)(
  'the app with $svc.plugins.0.slug starts as it stands',
  { timeout: START_MS },
  async (app, { skip }) => {
    const { plugins } = app.svc
    const modules = places.find((place) =>
      plugins.every(({ command: [program = ''] }) => existsSync(path.join(place, '.bin', program))),
    )
    if (modules === undefined)
      return skip('its servers are not installed here; npm test -- release installs them')
    const cwd = mkdtempSync(path.join(tmpdir(), 'svc-mcp-guide-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    symlinkSync(modules, path.join(cwd, 'node_modules'))
    for (const name of ['notes', 'public']) mkdirSync(path.join(cwd, name))
    const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] }
    const required_plugs = plugins.map(({ slug }) => slug)
    const files = [
      ['package.json', JSON.stringify(app)],
      [
        'public/manifest.json',
        JSON.stringify({ schema: 3, name: 'A', version: '1.0.0', ui, required_plugs }),
      ],
      ['index.html', '<!doctype html><title>A</title>'],
      ['.env', `NOTES=${path.join(cwd, 'notes')}\nTAVILY_API_KEY=tvly-none\n`],
    ] as const
    for (const [name, text] of files) writeFileSync(path.join(cwd, name), text)
    const { code, out, err } = await startSvc(['types', '--json'], { cwd }).ended
    expect([code, err]).toEqual([0, expect.anything()])
    const told = JSON.parse(out) as {
      readonly plugins: readonly { slug: string; tools: readonly unknown[] }[]
    }
    expect(told.plugins.map(({ slug, tools }) => [slug, tools.length > 0])).toEqual(
      required_plugs.map((slug) => [slug, true]),
    )
  },
)
