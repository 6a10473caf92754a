import { build } from 'esbuild'

/** Returns the text that a bundler keeps of our packages for some lines of code; what is not ours stays an import. */
export async function bundledText(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    minify: true,
    plugins: [
      {
        name: 'only-ours',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@svc/') ? undefined : { path, external: true, sideEffects: false },
          ),
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}
