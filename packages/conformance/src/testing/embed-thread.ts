import path from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * Builds the modules of threads as texts into their packages: bundlers, tracers and Plug'n'Play see no path in it
 * that they would have to follow.
 */
export const embedThread: Plugin = {
  name: 'embed-thread',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\bthread-source\.ts$/ }, async (args) => {
      const { outputFiles } = await build({
        entryPoints: [path.join(path.dirname(args.path), 'thread-work.ts')],
        bundle: true,
        write: false,
        minify: true,
        platform: 'node',
        format: 'iife',
        globalName: 'work',
        target: 'node22',
      })
      const text = `(() => { ${outputFiles[0]?.text}; return work })()`
      return { contents: `export const source = ${JSON.stringify(text)}` }
    }),
}
