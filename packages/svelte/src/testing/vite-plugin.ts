import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile, type Warning } from 'svelte/compiler'

/** Compiles components for tests. For a page, Svelte itself is that of browsers, which Node does not find by itself. */
export function svelte(generate: 'client' | 'server') {
  return {
    name: `svelte-${generate}`,
    config: () => ({ resolve: { alias: generate === 'client' ? browserEntries() : [] } }),
    transform(code: string, filename: string) {
      if (!filename.endsWith('.svelte')) return undefined
      // Properties that are read once are meant: what a test passes does not change.
      const warningFilter = ({ code }: Warning) => code !== 'state_referenced_locally'
      const { js, warnings } = compile(code, {
        filename,
        generate,
        dev: true,
        // Apps have it off, unless they ask for it.
        experimental: { async: filename.includes('/async/') },
        warningFilter,
      })
      for (const { message } of warnings) throw new Error(`${filename}: ${message}`)
      return { code: js.code, map: js.map }
    },
  }
}

function browserEntries() {
  const manifest = import.meta.resolve('svelte/package.json')
  const { exports } = JSON.parse(readFileSync(fileURLToPath(manifest), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly browser?: string }>>
  }
  return Object.entries(exports).flatMap(([entry, { browser }]) =>
    browser
      ? [
          {
            find: new RegExp(`^svelte${entry.slice(1)}$`),
            replacement: fileURLToPath(new URL(browser, manifest)),
          },
        ]
      : [],
  )
}
