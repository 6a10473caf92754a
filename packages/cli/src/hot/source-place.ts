import { SourceMap, type SourceMapPayload } from 'node:module'
import type { EnvironmentModuleNode } from 'vite'

/** A place in a source; the line from 1, the column from 0, as bundlers say them. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Where in its source something of a compiled module is, by its offset; `null`: nobody knows. */
export function sourcePlace(
  module: EnvironmentModuleNode,
  code: string | null,
  offset: number,
): SourcePlace | null {
  if (code === null) return null
  const before = code.slice(0, offset).split('\n')
  return placeInSource(module, before.length, before.at(-1)?.length ?? 0)
}

/** Where in its source a place of a compiled module is: the line from 1, the column from 0. */
export function placeInSource(
  { file, transformResult }: EnvironmentModuleNode,
  line: number,
  column: number,
): SourcePlace | null {
  if (file === null) return null
  const map = transformResult?.map
  if (!map || map.mappings === '') return { file, line, column }
  const entry = new SourceMap(map as SourceMapPayload).findEntry(line - 1, column)
  if (!('originalLine' in entry)) return null
  return { file, line: entry.originalLine + 1, column: entry.originalColumn }
}
