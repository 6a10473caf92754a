import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isTestFile, readImports } from '../arrows.ts'
import type { Arrows } from './circles.ts'

/** A file of a package. */
export interface SourceFile {
  /** From the root of the repository. */
  readonly file: string
  /** The folder under `src` that it stands in; `.` for `src` itself. */
  readonly layer: string
  readonly text: string
  readonly lines: number
  /** The files of the same package that it imports. */
  readonly imports: readonly { readonly file: string; readonly typeOnly: boolean }[]
}

/** The files of `packages/NAME/src`, without tests unless asked for. */
export function sourcesOf(dir: string, tests = false): SourceFile[] {
  return globSync(`${dir}/src/**/*.{ts,tsx}`)
    .sort()
    .filter((file) => isTestFile(file) === tests)
    .map((file) => {
      const text = readFileSync(file, 'utf8')
      const [layer = '.', ...rest] = path.relative(`${dir}/src`, file).split(path.sep)
      return {
        file,
        layer: rest.length === 0 ? '.' : layer,
        text,
        lines: text.split('\n').length - 1,
        imports: readImports(text)
          .filter(({ from }) => from.startsWith('.'))
          .map(({ from, typeOnly }) => ({ file: path.join(path.dirname(file), from), typeOnly })),
      }
    })
}

/** The arrows between the layers of a package, or between its files. */
export function arrowsOf(
  sources: readonly SourceFile[],
  by: 'layer' | 'file',
  { withTypes }: { readonly withTypes: boolean },
): Arrows {
  const layers = new Map(sources.map(({ file, layer }) => [file, layer]))
  const nameOf = (file: string) => (by === 'file' ? file : layers.get(file))
  const arrows = new Map<string, Set<string>>()
  for (const { file, imports } of sources) {
    const from = nameOf(file) ?? file
    const to = arrows.get(from) ?? new Set()
    arrows.set(from, to)
    for (const one of imports) {
      const target = layers.has(one.file) ? nameOf(one.file) : undefined
      if (target !== undefined && target !== from && (withTypes || !one.typeOnly)) to.add(target)
    }
  }
  return arrows
}
