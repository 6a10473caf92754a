import { equal } from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { openApp, signIn, windowAt } from '../../packages/conformance/src/story.ts'
import type { StoryScope } from '../../packages/conformance/src/story-page.ts'
import type { TemplateKind } from '../../packages/create-svc/src/index.ts'
import { freePort, type ProjectPlace, type Running, startNpm } from './project-run.ts'

/** A project that was started: where a browser opens it, and what is seen there. */
export interface Story {
  start(place: ProjectPlace): Promise<Running>
  tell(page: Page): Promise<void>
}

const withPort = ({ cwd, env }: ProjectPlace, PORT: string): ProjectPlace => ({ cwd, env: { ...env, PORT } })

/** The one line of JSON that `svc dev --json` prints has the URL with the start token. */
const DEV_LINE = /^\{.*?"start_url":"([^"]+)"/m

const app: Story = {
  start: (place) => startNpm(place, DEV_LINE, 'run', 'dev', '--', '--port', '0', '--json'),
  async tell(page) {
    await signIn({ page }, 'ada')
    const { iframe, inside } = windowAt({ page }, await openApp({ page }, 'My app'))
    await inside.getByRole('heading', { name: 'Hello, stranger' }).waitFor()
    equal(await iframe.getAttribute('sandbox'), 'allow-scripts allow-forms')
    await inside.getByLabel('Your name').fill('Ada')
    await inside.getByLabel('Your name').press('Enter')
    await inside.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await page.getByRole('region', { name: 'Hello, Ada' }).waitFor()
  },
}

/** The plugin is that of an app beside it, which shows what it returned. */
const plugin: Story = {
  async start(place) {
    const folder = path.join(place.cwd, 'try')
    writePluginApp(folder)
    return startNpm(place, DEV_LINE, 'exec', '--', 'svc', 'dev', 'try', '--port', '0', '--json')
  },
  async tell(page) {
    await signIn({ page }, 'ada')
    const { inside } = windowAt({ page }, await openApp({ page }, 'Texts'))
    await inside.getByText('"same":1,').waitFor()
  },
}

/** Writes an app that calls a tool of the plugin in the folder above it, and shows the result. */
function writePluginApp(folder: string): void {
  const { slug, command } = JSON.parse(readFileSync(path.join(folder, '../svc.plug.json'), 'utf8')) as {
    readonly slug: string
    readonly command: readonly string[]
  }
  const [program = '', ...args] = command
  const ui = {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { tools: [`required:${slug}`] },
  }
  const manifest = { schema: 3, name: 'Texts', version: '1.0.0', ui, required_plugs: [{ handle: slug }] }
  const plugins = [{ slug, command: [program, ...args.map((file) => path.join('..', file))] }]
  const call = { tool_id: slug, method: 'compare_texts', args: { before: 'a\nb', after: 'a\nc' } }
  mkdirSync(path.join(folder, 'public'), { recursive: true })
  writeFileSync(path.join(folder, 'public/manifest.json'), JSON.stringify(manifest))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', svc: { plugins } }))
  writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><title>Texts</title><body><script type="module">
      import { svc } from '@svc/sdk'
      document.body.append(JSON.stringify(await svc.tools.invoke(${JSON.stringify(call)})))
    </script>`,
  )
}

async function count(inside: StoryScope): Promise<void> {
  await inside.getByRole('button', { name: 'Counted 0' }).click()
  await inside.getByRole('button', { name: 'Counted 1' }).waitFor()
}

const served: Story = {
  start: (place) => startNpm(withPort(place, '0'), /^svc serves (\S+);/m, 'run', 'dev'),
  async tell(page) {
    await signIn({ page }, 'ada')
    const { inside } = windowAt({ page }, await openApp({ page }, 'Counter'))
    await count(inside)
    await page.getByRole('region', { name: 'Counter: 1' }).waitFor()
  },
}

const host: Story = {
  start: (place) => startNpm(withPort(place, '0'), /^listens at (\S+);/m, 'run', 'dev'),
  async tell(page) {
    equal(await page.locator('iframe').getAttribute('sandbox'), 'allow-scripts allow-forms')
    await count(page.locator('iframe').contentFrame())
  },
}

const page: Story = {
  async start(place) {
    const port = await freePort()
    const colourless = { cwd: place.cwd, env: { ...place.env, NO_COLOR: '1' } }
    const ready = /(http:\/\/localhost:\d+\/)/
    return startNpm(colourless, ready, 'run', 'dev', '--', '--port', port, '--strictPort')
  },
  async tell(page) {
    const windows = page.locator('.window')
    await count(windows.first().locator('iframe').contentFrame())
    await windows.first().getByRole('heading', { name: 'Counter: 1' }).waitFor()
    await windows.last().locator('iframe').contentFrame().getByRole('button', { name: 'Counted 0' }).waitFor()
    equal(await windows.count(), 2)
  },
}

/** Returns what is seen of a template in a browser. */
export const storyOf = (template: string, kind: TemplateKind): Story =>
  template === 'host-serve' ? served : { app, plugin, host, page }[kind]
