import { useDeskState } from '../components/use-desk.ts'
import { NewPlugin } from './new-plugin.tsx'
import { OwnPlugin } from './own-plugin.tsx'
import { PluginLists } from './plugin-lists.tsx'

/** The tab of plugins: the lists, a new one, or one of the user's own. */
export function Plugins() {
  const place = useDeskState(({ manage }) => manage.place)
  if (place.at === 'new') return <NewPlugin />
  if (place.at === 'own') return <OwnPlugin key={place.toolId} toolId={place.toolId} />
  return <PluginLists />
}
