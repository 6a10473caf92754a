import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What a plugin says of one tool. */
export interface SaidTool {
  readonly name: string
  readonly [member: string]: unknown
}

/** An app for tests that declares plugins, in a folder of its own; its plugins are in the folder `plugin` of it. */
export interface TypesApp {
  readonly dir: string
  /** Writes any file of it. */
  put(name: string, text: string): void
  /** What a file of it holds; `null`: there is none. */
  read(name: string): string | null
  /** Writes the manifest, with these required plugs. */
  declare(...plugs: readonly unknown[]): void
  /** Writes the `svc` key of its package.json. */
  key(key: object): void
  /** Writes the program of a plugin that says that it has these tools; returns its line for the key. */
  plugin(slug: string, tools: readonly SaidTool[]): { readonly slug: string; readonly command: string[] }
  remove(): void
}

const page = '<!doctype html><html lang="en"><head><title>Typed</title></head><body></body></html>'

const program = (name: string, tools: readonly SaidTool[]) => `import { createInterface } from 'node:readline'
const described = ${JSON.stringify({ name, tools })}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'describe' ? described : { output: { tools: described.tools.length } }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`

/** Makes one, with sources under `src`. */
export function makeTypesApp(): TypesApp {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-typed-'))
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  const declare = (...plugs: readonly unknown[]) =>
    put(
      'public/manifest.json',
      JSON.stringify({
        schema: 3,
        name: 'Typed',
        ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
        required_plugs: plugs,
      }),
    )
  put('index.html', page)
  put('src/main.ts', 'export {}\n')
  declare()
  return {
    dir,
    put,
    declare,
    read(name) {
      const file = path.join(dir, name)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    key: (key) => put('package.json', JSON.stringify({ type: 'module', svc: key })),
    plugin(slug, tools) {
      put(`plugin/${slug}.mjs`, program(slug, tools))
      return { slug, command: ['node', `plugin/${slug}.mjs`] }
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
