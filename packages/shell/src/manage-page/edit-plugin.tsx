import { Button } from '@mantine/core'
import { TroubleNote } from '../components/trouble-note.tsx'
import { errorsOf, useAct } from '../components/use-act.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { missingOfFields } from '../manage/missing.ts'
import { fieldId } from '../state/field.ts'
import { type ManageState, without } from '../state/manage-state.ts'
import type { OwnPlug } from '../state/plug.ts'
import { bodyOf, fieldsOf, isSaved, type PlugFields } from '../state/plug-form.ts'
import { FocusReturn } from './keyboard.tsx'
import { Line } from './line.tsx'
import { PLUGS, plugKey } from './lists.ts'
import styles from './manage-page.module.css'
import { MissingList } from './missing-list.tsx'
import { PlugForm } from './plug-form.tsx'
import { useDescribe } from './use-describe.ts'

/** What the owner may edit; what is typed is saved at once or not at all. */
export function EditPlugin({ plug }: { plug: OwnPlug }) {
  const { ask, change } = useDesk()
  const { tool_id, type } = plug
  const typed = useDeskState(({ manage }) => manage.edits[tool_id])
  const fields = typed ?? fieldsOf(plug)
  const missing = missingOfFields(type, fields)
  /** What is as the host has it is not kept as typed. */
  const typing =
    (how: (fields: PlugFields) => Partial<PlugFields>) =>
    ({ edits }: ManageState): Partial<ManageState> => {
      const before = edits[tool_id] ?? fieldsOf(plug)
      const next = { ...before, ...how(before) }
      const rest = without(edits, tool_id)
      return { edits: isSaved(plug, next) ? rest : { ...rest, [tool_id]: next } }
    }
  const save = useAct(`save ${tool_id}`, async () => {
    const saved = await ask('PATCH /plugs/my/tools/{tool_id}', {
      params: { tool_id },
      body: { name: fields.name.trim(), ...bodyOf(type, fields) },
    })
    return {
      told: [plugKey(tool_id), saved],
      change: ({ edits, previews }) => ({
        // What was typed while the host wrote stays.
        edits: edits[tool_id] === typed ? without(edits, tool_id) : edits,
        previews: without(previews, tool_id),
      }),
      said: `${saved.name} was saved`,
      reads: PLUGS,
    }
  })
  const describe = useDescribe(`describe ${tool_id}`, fields, (manifest) => typing(() => ({ manifest })))
  const errorOf = errorsOf(save, describe)

  function discard(): void {
    change(({ edits }) => ({ edits: without(edits, tool_id) }))
    save.forget()
    describe.forget()
  }
  return (
    <section aria-label="Edit" className={styles.group}>
      <h3 className={styles.placeTitle}>Edit</h3>
      <div className={styles.section}>
        <Line
          error={errorOf('name')}
          field="name"
          label="Name"
          onType={(name) => change(typing(() => ({ name })))}
          value={fields.name}
        />
      </div>
      <PlugForm
        describe={describe}
        errorOf={errorOf}
        fields={fields}
        onType={(how) => change(typing(how))}
        type={type}
      />
      <TroubleNote act={save} />
      {typed && missing.length > 0 && <MissingList missing={missing} />}
      {typed && (
        <div className={styles.row}>
          {missing.length === 0 && (
            <Button loading={save.isBusy} onClick={save.run} size="sm" variant="filled">
              Save
            </Button>
          )}
          <Button onClick={discard} size="sm">
            Discard changes
          </Button>
          <FocusReturn to={fieldId('name')} />
        </div>
      )}
    </section>
  )
}
