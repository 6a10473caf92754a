import { copyFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'tsup'
import { bundleOneFile } from './packages/conformance/src/bundle.ts'
import { embedThread } from './packages/conformance/src/testing/embed-thread.ts'
import { writeConstants } from './scripts/keep-constants.ts'
import { entryName, isStyle, libraries, readManifest } from './scripts/libraries.ts'
import { minifyPrelude } from './scripts/minify-prelude.ts'
import { neededNode } from './scripts/needed-node.ts'
import { writeOneByte } from './scripts/one-byte.ts'

/** Builds the library in the current folder: its entries are its `exports` and `bin`. */
export default defineConfig(({ outDir = 'dist' }) => {
  const library = libraries.find(({ dir }) => path.resolve(import.meta.dirname, dir) === process.cwd())
  if (!library) throw new Error(`${process.cwd()} is no library of scripts/libraries.ts`)
  const { exports, bin = {}, engines } = readManifest('.')
  const { oneFile, inside = [] } = library
  const sources = [...Object.values(exports), ...Object.values(bin)]
  const styles = sources.filter(isStyle)
  return {
    entry: Object.fromEntries(
      sources.filter((source) => !isStyle(source)).map((source) => [entryName(source), source]),
    ),
    format: [...library.formats],
    platform: library.platform,
    target: 'es2023',
    dts: true,
    clean: true,
    silent: true,
    splitting: true,
    // `node:sqlite` has no name without `node:`; a library for every platform knows no modules of Node.
    removeNodeProtocol: false,
    external: [/^node:/],
    ...(library.platform === 'node' &&
      engines &&
      Object.keys(bin).length === 0 && { banner: { js: neededNode(engines.node) } }),
    esbuildPlugins: [minifyPrelude, embedThread],
    noExternal: [...inside],
    shims: library.platform === 'node' && library.formats.includes('cjs'),
    onSuccess: async () => {
      writeOneByte(outDir)
      if (library.platform === 'neutral') writeConstants(outDir)
      for (const name of inside) copyFileSync(`node_modules/${name}/LICENSE`, `${outDir}/${name}.LICENSE`)
      for (const style of styles) copyFileSync(style, `${outDir}/${entryName(style)}`)
      if (oneFile) writeFileSync(`${outDir}/${oneFile}`, await bundleOneFile(exports['.'] ?? ''))
    },
  }
})
