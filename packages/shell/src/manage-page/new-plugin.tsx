import { Button } from '@mantine/core'
import { AskFirst } from '../components/ask-first.tsx'
import { Choice } from '../components/choice.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { errorsOf, useAct } from '../components/use-act.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useNow } from '../components/use-list.ts'
import { isExpired, missingOf } from '../manage/missing.ts'
import { visibilityRows } from '../manage/visibility.ts'
import { goTo, type ManageState } from '../state/manage-state.ts'
import { bodyOf, emptyNewPlug, type NewPlug } from '../state/plug-form.ts'
import { FocusReturn, PlaceHeading } from './keyboard.tsx'
import { PLUGS, plugKey } from './lists.ts'
import styles from './manage-page.module.css'
import { Mint } from './mint.tsx'
import { MissingList } from './missing-list.tsx'
import { PlugForm } from './plug-form.tsx'
import { useDescribe } from './use-describe.ts'

const HEADING = 'new-plugin'

/** Changes what is typed of it. */
const into =
  (how: (plug: NewPlug) => Partial<NewPlug>) =>
  ({ newPlug }: ManageState): Partial<ManageState> => ({ newPlug: { ...newPlug, ...how(newPlug) } })

/** A plugin that is to be: a name, a minted id, then all that is known of it. */
export function NewPlugin() {
  const { ask, change } = useDesk()
  const plug = useDeskState(({ manage }) => manage.newPlug)
  const now = useNow(true)
  const missing = missingOf(plug, isExpired(plug, now))
  const mint = useAct('mint', async () => {
    const { type, fields } = plug
    const draft = await ask('POST /plugs/my/drafts', { body: { name: fields.name.trim(), type } })
    return { change: into(() => ({ draft })), said: `Minted ${draft.tool_id}` }
  })
  const describe = useDescribe('describe', plug.fields, (manifest) =>
    into(({ fields }) => ({ fields: { ...fields, manifest } })),
  )
  const create = useAct('create', async () => {
    const { type, fields, visibility, draft } = plug
    if (!draft) throw new Error('mint a tool id first')
    const created = await ask('POST /plugs/my/drafts/{draft_id}/commit', {
      params: { draft_id: draft.draft_id },
      body: { ...bodyOf(type, fields), visibility },
    })
    return {
      told: [plugKey(created.tool_id), created],
      change: () => ({ newPlug: emptyNewPlug, place: { at: 'own', toolId: created.tool_id } }),
      said: `${created.name} was created`,
      reads: PLUGS,
    }
  })
  const errorOf = errorsOf(mint, describe, create)
  function empty(): void {
    change(() => ({ newPlug: emptyNewPlug }))
    for (const act of [mint, describe, create]) act.forget()
  }
  const isTyped = plug.draft !== null || plug.fields.name !== ''
  return (
    <div className={styles.form}>
      <Button onClick={() => change(goTo({ at: 'list' }))}>All plugins</Button>
      <PlaceHeading id={HEADING}>New plugin</PlaceHeading>
      <Mint
        error={errorOf('name')}
        mint={mint}
        now={now}
        onChange={(how) => change(into(() => how))}
        plug={plug}
      />
      <PlugForm
        describe={describe}
        errorOf={errorOf}
        fields={plug.fields}
        onType={(how) => change(into(({ fields }) => ({ fields: { ...fields, ...how(fields) } })))}
        type={plug.type}
      />
      <section aria-label="Visibility" className={styles.section}>
        <Choice
          className={styles.choices}
          label="Visibility"
          rows={visibilityRows}
          onChoose={(visibility) => change(into(() => ({ visibility })))}
          value={plug.visibility}
        />
      </section>
      <TroubleNote act={create} />
      {missing.length > 0 ? (
        <MissingList missing={missing} />
      ) : (
        <Button loading={create.isBusy} onClick={create.run} size="sm" variant="filled">
          Create the plugin
        </Button>
      )}
      {isTyped && (
        <AskFirst
          act={{ isBusy: false, trouble: null, run: empty }}
          beside={<FocusReturn to={HEADING} />}
          does="Empty it"
          name="Empty the form"
          word="Empty the form"
        >
          <p className={styles.text}>What is typed is lost, and the minted id is left to expire.</p>
        </AskFirst>
      )}
    </div>
  )
}
