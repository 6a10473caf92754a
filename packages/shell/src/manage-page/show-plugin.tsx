import { Button } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { ownWork } from '../manage/keep-plug.ts'
import { freezeNote, visibilityRows } from '../manage/visibility.ts'
import { fieldId } from '../state/field.ts'
import type { OwnPlug } from '../state/plug.ts'
import { GivesBack } from './keyboard.tsx'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { useWork } from './use-work.ts'
import { VisibilityChoice } from './visibility-choice.tsx'

/** Who sees a plugin, and what a change of that does. */
export function ShowPlugin({ plug, versions }: { plug: OwnPlug; versions: number }) {
  const { keeper } = useDesk().manage
  const { tool_id, visibility, version } = plug
  const wanted = useDeskState(({ manage }) => manage.wanted[tool_id]) ?? visibility
  const work = ownWork.show(tool_id)
  const { isBusy } = useWork(work)
  const note = freezeNote(visibility, wanted, versions, version)
  return (
    <section aria-label="Visibility" className={styles.section} id={fieldId('visibility')} tabIndex={-1}>
      <VisibilityChoice onChoose={(chosen) => keeper.want(tool_id, chosen)} value={wanted} />
      {wanted !== visibility && (
        <>
          {note !== null && <p className={styles.note}>{note}</p>}
          <div className={styles.row}>
            <Button loading={isBusy} onClick={() => void keeper.show(tool_id)} size="compact-sm">
              Make it {visibilityRows[wanted].label.toLowerCase()}
            </Button>
            <Button onClick={() => keeper.want(tool_id, visibility)} size="compact-sm" variant="default">
              Leave it {visibilityRows[visibility].label.toLowerCase()}
            </Button>
          </div>
          <GivesBack to={fieldId('visibility')} />
        </>
      )}
      <TroubleNote whole work={work} />
    </section>
  )
}
