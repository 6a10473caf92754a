// `npm run docs`: builds the docs site into dist/docs. `-- serve` shows what was built, and `-- dev` the pages while they
// are written.
import { parseArgs } from 'node:util'
import { createServer } from 'vitepress'
import { writeApiPages } from './api.ts'
import { buildSite } from './build.ts'
import { serveFolder } from './serve-folder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'dist/docs' },
    base: { type: 'string', default: '/' },
    repository: { type: 'string' },
    port: { type: 'string', default: '8786' },
  },
})
const { out, base, repository = null } = values
const port = Number(values.port)

const tasks: ReadonlyMap<string, () => Promise<void>> = new Map([
  ['build', build],
  ['serve', serve],
  ['dev', dev],
])
const [name = 'build'] = positionals
const task = tasks.get(name)
if (task) await task()
else console.error(`svc: there is no task "${name}"; the tasks are ${[...tasks.keys()].join(', ')}`)
process.exitCode = task ? 0 : 1

async function build(): Promise<void> {
  console.log(`written: ${await buildSite({ out, base, repository })}`)
}

async function serve(): Promise<void> {
  const { url } = await serveFolder(out, port)
  console.log(`the docs are at ${url}`)
}

async function dev(): Promise<void> {
  await writeApiPages()
  const server = await createServer('docs', { port })
  await server.listen()
  server.printUrls()
}
