import type { Manifest } from '@svc/contract'

type Plugs = Pick<Manifest, 'required_plugs' | 'optional_plugs'>

/** The indexes of versions that have one name of a plugin each, because an index has one key for a row. */
export const plugPlaces = ['plug0', 'plug1', 'plug2', 'plug3', 'plug4', 'plug5', 'plug6', 'plug7'] as const

/** The ids and handles by which a manifest declares plugins, each once. */
export function plugNames({ required_plugs, optional_plugs }: Plugs): string[] {
  const names = [...required_plugs, ...optional_plugs].flatMap((plug) =>
    typeof plug === 'string' ? [plug] : [plug.tool_id, plug.handle],
  )
  return [...new Set(names)].filter((name) => name !== undefined)
}

/** Whether a manifest has more names than there are places: it is in none of them. */
export const hasManyPlugs = (manifest: Plugs): boolean => plugNames(manifest).length > plugPlaces.length

/** By its place the key of a version in that index. */
export const plugIndexes = Object.fromEntries(
  plugPlaces.map((place, at) => [
    place,
    ({ manifest }: { readonly manifest: Plugs }) => {
      const name = hasManyPlugs(manifest) ? undefined : plugNames(manifest)[at]
      return name === undefined ? null : [name]
    },
  ]),
) as Record<(typeof plugPlaces)[number], (row: { readonly manifest: Plugs }) => [string] | null>
