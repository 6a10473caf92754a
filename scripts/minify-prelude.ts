import { pathToFileURL } from 'node:url'
import { type Plugin, transform } from 'esbuild'

/** Minifies the text, a script, that a module exports as `source`. */
export async function minified(file: string): Promise<string> {
  const { source }: { readonly source: string } = await import(pathToFileURL(file).href)
  const { code } = await transform(source, { minify: true, target: 'es2022' })
  return code.trim()
}

/** Builds the script before each document of a bundle minified into the package: a browser gets it with each window. */
export const minifyPrelude: Plugin = {
  name: 'minify-prelude',
  setup: ({ onLoad }) =>
    onLoad({ filter: /apps.prelude-source\.ts$/ }, async ({ path }) => ({
      contents: `export const source = ${JSON.stringify(await minified(path))}`,
    })),
}
