import { Button } from '@mantine/core'
import { Choice } from '../components/choice.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { freezeNote, visibilityRows } from '../manage/visibility.ts'
import { fieldId } from '../state/field.ts'
import { without } from '../state/manage-state.ts'
import type { OwnPlug } from '../state/plug.ts'
import { FocusReturn } from './keyboard.tsx'
import { PLUGS, plugKey } from './lists.ts'
import styles from './manage-page.module.css'

/** Who sees a plugin, and what a change of that does. */
export function ShowPlugin({ plug, versions }: { plug: OwnPlug; versions: number }) {
  const { ask, change } = useDesk()
  const { tool_id, visibility, version } = plug
  const wanted = useDeskState(({ manage }) => manage.wanted[tool_id]) ?? visibility
  const show = useAct(`show ${tool_id}`, async () => {
    const shown = await ask('PATCH /plugs/my/tools/{tool_id}', {
      params: { tool_id },
      body: { visibility: wanted },
    })
    return {
      told: [plugKey(tool_id), shown],
      change: (manage) => ({ wanted: without(manage.wanted, tool_id) }),
      said: `${shown.name} is ${visibilityRows[shown.visibility].label.toLowerCase()}`,
      reads: PLUGS,
    }
  })
  const want = (chosen: typeof wanted) =>
    change((manage) => ({ wanted: { ...manage.wanted, [tool_id]: chosen } }))
  const note = freezeNote(visibility, wanted, versions, version)
  return (
    <section aria-label="Visibility" className={styles.section} id={fieldId('visibility')} tabIndex={-1}>
      <Choice
        className={styles.choices}
        label="Visibility"
        onChoose={want}
        rows={visibilityRows}
        value={wanted}
      />
      {wanted !== visibility && (
        <>
          {note !== null && <p className={styles.note}>{note}</p>}
          <div className={styles.row}>
            <Button loading={show.isBusy} onClick={show.run} variant="filled">
              Make it {visibilityRows[wanted].label.toLowerCase()}
            </Button>
            <Button onClick={() => want(visibility)}>
              Leave it {visibilityRows[visibility].label.toLowerCase()}
            </Button>
          </div>
          <FocusReturn to={fieldId('visibility')} />
        </>
      )}
      <TroubleNote act={show} whole />
    </section>
  )
}
