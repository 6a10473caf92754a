import { Button } from '@mantine/core'
import { Problem } from '../components/host-list.tsx'
import { useDesk } from '../components/use-desk.ts'
import { pluginStatus } from '../manage/plugin-status.ts'
import { goTo } from '../state/manage-state.ts'
import { Chip } from './chip.tsx'
import { CopiedValue } from './copied-value.tsx'
import { EditPlugin } from './edit-plugin.tsx'
import { PlaceHeading } from './keyboard.tsx'
import { useOwnPlug } from './lists.ts'
import styles from './manage-page.module.css'
import { NewVersion } from './new-version.tsx'
import { RemovePlugin } from './remove-plugin.tsx'
import { ShowPlugin } from './show-plugin.tsx'
import { Variables } from './variables.tsx'
import { Versions } from './versions.tsx'

/** The page of an own plugin. */
export function OwnPlugin({ toolId }: { toolId: string }) {
  const { change } = useDesk()
  const own = useOwnPlug(toolId)
  const plug = own.plug.data
  const versions = own.versions.data ?? []
  const standing = plug && pluginStatus(plug.type, plug)
  return (
    <div className={styles.form}>
      <Button onClick={() => change(goTo({ at: 'list' }))}>All plugins</Button>
      <div className={styles.head}>
        <PlaceHeading>{plug?.name ?? 'A plugin of yours'}</PlaceHeading>
        {standing && <Chip tone={standing.tone}>{standing.word}</Chip>}
      </div>
      <Problem query={own.plug.error ? own.plug : own.versions} things="plugins" />
      {plug && standing && (
        <>
          <p className={styles.soft}>
            {plug.type} · version {plug.version} · {standing.sentence}
          </p>
          <CopiedValue help="Apps name it in their manifest." label="Tool id" value={plug.tool_id} />
          {Object.values(plug.distribution?.env ?? {}).some((one) => typeof one === 'object') && (
            <Variables name={plug.name} toolId={toolId} />
          )}
          <ShowPlugin plug={plug} versions={versions.length} />
          <NewVersion hasVersions={versions.length > 0} toolId={toolId} />
          <Versions toolId={toolId} versions={versions} />
          <EditPlugin plug={plug} />
          <RemovePlugin plug={plug} />
        </>
      )}
    </div>
  )
}
