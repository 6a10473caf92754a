import { Button } from '@mantine/core'
import { AskFirst } from '../components/ask-first.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { newWork } from '../manage/make-plug.ts'
import { isExpired, missingOf } from '../manage/missing.ts'
import { GivesBack } from './keyboard.tsx'
import styles from './manage-page.module.css'
import { Mint } from './mint.tsx'
import { MissingList } from './missing-list.tsx'
import { PlaceHeading } from './place-heading.tsx'
import { PlugForm } from './plug-form.tsx'
import { TroubleNote } from './trouble-note.tsx'
import { useAct, useErrors, useWork } from './use-work.ts'
import { VisibilityChoice } from './visibility-choice.tsx'

const HEADING = 'new-plugin'

/** A plugin that is to be: a name, a minted id, then all that is known of it. */
export function NewPlugin() {
  const desk = useDesk()
  const { maker } = desk.manage
  const plug = useDeskState(({ manage }) => manage.newPlug)
  const expired = useDeskState(({ manage }) => isExpired(manage.newPlug, manage.shownAt))
  const errorOf = useErrors(newWork.mint, newWork.describe, newWork.create)
  const { isBusy } = useWork(newWork.create)
  const act = useAct(newWork.create)
  const missing = missingOf(plug, expired)
  const isTyped = plug.draft !== null || plug.fields.name !== ''
  return (
    <div className={styles.form}>
      <Button onClick={() => desk.manage.goTo({ at: 'list' })} size="compact-sm" variant="default">
        All plugins
      </Button>
      <PlaceHeading id={HEADING}>New plugin</PlaceHeading>
      <Mint error={errorOf('name')} plug={plug} />
      <PlugForm
        describeWork={newWork.describe}
        errorOf={errorOf}
        fields={plug.fields}
        onDescribe={maker.describe}
        onType={(how) => maker.change(({ fields }) => ({ fields: { ...fields, ...how(fields) } }))}
        type={plug.type}
      />
      <section aria-label="Visibility" className={styles.section}>
        <VisibilityChoice
          onChoose={(visibility) => maker.change(() => ({ visibility }))}
          value={plug.visibility}
        />
      </section>
      <TroubleNote work={newWork.create} />
      {missing.length > 0 ? (
        <MissingList missing={missing} />
      ) : (
        <Button loading={isBusy} onClick={() => act(maker.create)}>
          Create the plugin
        </Button>
      )}
      {isTyped && (
        <AskFirst
          asked={{ name: 'Empty the form', word: 'Empty the form', act: 'Empty it', keep: 'Keep it' }}
          busy={false}
          onAct={maker.discard}
          question={
            <p className={styles.text}>What is typed is lost, and the minted id is left to expire.</p>
          }
          stale={false}
        >
          <GivesBack to={HEADING} />
        </AskFirst>
      )}
    </div>
  )
}
