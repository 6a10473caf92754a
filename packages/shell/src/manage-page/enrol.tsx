import { Button } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { runnerWork } from '../manage/keep-runners.ts'
import { fieldId } from '../state/field.ts'
import { CameValue, CopiedValue } from './copied-value.tsx'
import { GivesBack } from './keyboard.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { focusField, useAct, useErrors, useWork } from './use-work.ts'

/** Enrols a machine; its token is shown once. */
export function Enrol() {
  const enrolled = useDeskState(({ manage }) => manage.enrolled)
  return enrolled ? <Enrolled {...enrolled} /> : <EnrolForm />
}

const TOKEN_FILE = '~/.svc-token'

function Enrolled({ name, token }: { name: string; token: string }) {
  const { runners } = useDesk().manage
  return (
    <section aria-label={`Token of ${name}`} className={styles.section}>
      <h4 className={styles.sectionTitle}>{name} is enrolled</h4>
      <p className={styles.note}>
        The token is shown this once. On that machine put it into a file that only you can read, such as{' '}
        {TOKEN_FILE}, or into the environment variable SVC_RUNNER_TOKEN; not behind the command, where others
        could read it.
      </p>
      <CameValue label="Token" value={token} />
      <CopiedValue
        label="Command"
        value={`svc runner --host ${location.origin} --token-file ${TOKEN_FILE}`}
      />
      <div className={styles.row}>
        <Button onClick={() => runners.putTokenAway()} size="compact-sm">
          I have kept the token
        </Button>
      </div>
      <GivesBack to={fieldId('name')} />
    </section>
  )
}

function EnrolForm() {
  const { runners } = useDesk().manage
  const name = useDeskState(({ manage }) => manage.runnerName)
  const { isBusy } = useWork(runnerWork.enrol)
  const errorOf = useErrors(runnerWork.enrol)
  const act = useAct(runnerWork.enrol)
  return (
    <form
      aria-label="Enrol a machine"
      className={styles.section}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') focusField('name')
        else act(runners.enrol)
      }}
    >
      <Line
        error={errorOf('name')}
        field="name"
        help="A name for the machine."
        label="Name"
        onType={runners.typeName}
        value={name}
      />
      <TroubleNote work={runnerWork.enrol} />
      <div className={styles.row}>
        <Button loading={isBusy} size="compact-sm" type="submit">
          Enrol a machine
        </Button>
      </div>
    </form>
  )
}
