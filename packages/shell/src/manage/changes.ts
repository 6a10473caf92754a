import type { Changes } from '../state/plug.ts'

const kinds = ['added', 'removed', 'changed'] as const

/** What begins a path, and how what follows is spoken of. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^manifest\.tools\.(.+)\.parameters\.([^.]+)\.([^.]+)$/, 'the $3 of parameter $2 of tool $1'],
  [/^manifest\.tools\.(.+)\.parameters\.([^.]+)$/, 'parameter $2 of tool $1'],
  [
    /^manifest\.tools\.(.+)\.(description|parameters|input_schema|output_schema|timeout_ms)$/,
    'the $2 of tool $1',
  ],
  [/^manifest\.tools\.(.+?)\.(input_schema|output_schema)\..+$/, 'the $2 of tool $1'],
  [/^manifest\.tools\.(.+)$/, 'tool $1'],
  [/^manifest\.credentials\.(.+)$/, 'credential $1'],
  [/^manifest\.host_capabilities(\..+)?$/, 'what it asks of the host'],
  [/^manifest\.(.+)$/, 'the $1 in the manifest'],
  [/^manifest$/, 'the manifest'],
  [/^distribution\.urls\.([^.]+)(\..+)?$/, 'the binary for $1'],
  [/^distribution\.package_name$/, 'the package'],
  [/^distribution\.version$/, 'the version of the package'],
  [/^distribution\.executable_name$/, 'the executable'],
  [/^distribution\.(.+)$/, 'the $1 of the distribution'],
  [/^distribution$/, 'where it comes from'],
]

/** A path in words; one that no row knows stays as it is. */
export function placeText(path: string): string {
  const row = places.find(([pattern]) => pattern.test(path))
  return row ? path.replace(...row) : path
}

/** The differences, each in words such as `the description of tool forecast`. */
export const changeLines = (changes: Changes) =>
  kinds.flatMap((kind) => changes[kind].map((path) => ({ kind, what: placeText(path), path })))

/** How many there are: `2 added, 1 changed`; of nothing, `nothing`. */
export function changesText(changes: Changes): string {
  const told = kinds
    .filter((kind) => changes[kind].length > 0)
    .map((kind) => `${changes[kind].length} ${kind}`)
  return `${told.join(', ') || 'nothing'}${changes.truncated ? ', and more' : ''}`
}
