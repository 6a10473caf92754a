import { type Act, type Done, useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { manifestText } from '../state/manifest-text.ts'
import type { PlugFields } from '../state/plug-form.ts'
import { distributionOf } from '../state/read-distribution.ts'

/** Has a runner say what a plugin can do, which `write` puts into its manifest. */
export function useDescribe(
  name: string,
  { distribution }: PlugFields,
  write: (manifest: string) => NonNullable<Done['change']>,
): Act {
  const { ask } = useDesk()
  return useAct(name, async () => {
    const body = { distribution: distributionOf(distribution) }
    const { manifest } = await ask('POST /plugs/my/describe', { body })
    return { change: write(manifestText(manifest)), said: 'The plugin described itself' }
  })
}
