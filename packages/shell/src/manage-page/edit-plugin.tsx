import { Button } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { ownWork } from '../manage/keep-plug.ts'
import { missingOfFields } from '../manage/missing.ts'
import { fieldId } from '../state/field.ts'
import type { OwnPlug } from '../state/plug.ts'
import { fieldsOf } from '../state/plug-form.ts'
import { GivesBack } from './keyboard.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'
import { MissingList } from './missing-list.tsx'
import { PlugForm } from './plug-form.tsx'
import { TroubleNote } from './trouble-note.tsx'
import { useAct, useErrors, useWork } from './use-work.ts'

/** What the owner may edit; what is typed is saved at once or not at all. */
export function EditPlugin({ plug }: { plug: OwnPlug }) {
  const { keeper } = useDesk().manage
  const { tool_id, type } = plug
  const typed = useDeskState(({ manage }) => manage.edits[tool_id])
  const [save, describe] = [ownWork.save(tool_id), ownWork.describe(tool_id)]
  const { isBusy } = useWork(save)
  const errorOf = useErrors(save, describe)
  const act = useAct(save)
  const fields = typed ?? fieldsOf(plug)
  const missing = missingOfFields(type, fields)
  return (
    <section aria-label="Edit" className={styles.group}>
      <h3 className={styles.placeTitle}>Edit</h3>
      <div className={styles.section}>
        <Line
          error={errorOf('name')}
          field="name"
          label="Name"
          onType={(name) => keeper.edit(tool_id, () => ({ name }))}
          value={fields.name}
        />
      </div>
      <PlugForm
        describeWork={describe}
        errorOf={errorOf}
        fields={fields}
        onDescribe={() => keeper.describe(tool_id)}
        onType={(how) => keeper.edit(tool_id, how)}
        type={type}
      />
      <TroubleNote work={save} />
      {typed && missing.length > 0 && <MissingList missing={missing} />}
      {typed && (
        <div className={styles.row}>
          {missing.length === 0 && (
            <Button loading={isBusy} onClick={() => act(() => keeper.save(tool_id))}>
              Save
            </Button>
          )}
          <Button onClick={() => keeper.discard(tool_id)} variant="default">
            Discard changes
          </Button>
          <GivesBack to={fieldId('name')} />
        </div>
      )}
    </section>
  )
}
