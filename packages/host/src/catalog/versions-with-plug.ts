import { each, type Store, type StoreRecord } from '@svc/state'
import { plugNames, plugPlaces } from './plug-names.ts'
import { type VersionRow, versions } from './records.ts'

/** Every version whose manifest declares a plugin by one of these names, once; what its allow-list says is the caller's. */
export async function* versionsWithPlug(
  store: Pick<Store, 'scan'>,
  names: readonly string[],
): AsyncGenerator<StoreRecord<VersionRow>, void, undefined> {
  const seen = new Set<string>()
  for (const name of new Set(names))
    for (const place of plugPlaces)
      for await (const version of each(store, versions, place, { eq: [name] })) {
        if (seen.has(version.id)) continue
        seen.add(version.id)
        yield version
      }
  for await (const version of each(store, versions, 'manyPlugs'))
    if (plugNames(version.row.manifest).some((name) => names.includes(name))) yield version
}
