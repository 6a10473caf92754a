import { Button } from '@mantine/core'
import { TroubleNote } from '../components/trouble-note.tsx'
import { errorsOf, focusField, useAct } from '../components/use-act.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { fieldId } from '../state/field.ts'
import { CopiedValue, ReceivedValue } from './copied-value.tsx'
import { FocusReturn } from './keyboard.tsx'
import { Line } from './line.tsx'
import { RUNNERS } from './lists.ts'
import styles from './manage-page.module.css'

/** Enrols a machine; its token is shown once. */
export function Enrol() {
  const enrolled = useDeskState(({ manage }) => manage.enrolled)
  return enrolled ? <Enrolled {...enrolled} /> : <EnrolForm />
}

const TOKEN_FILE = '~/.svc-token'

function Enrolled({ name, token }: { name: string; token: string }) {
  const { change } = useDesk()
  return (
    <section aria-label={`Token of ${name}`} className={styles.section}>
      <h4 className={styles.sectionTitle}>{name} is enrolled</h4>
      <p className={styles.note}>
        The token is shown this once. On that machine put it into a file that only you can read, such as{' '}
        {TOKEN_FILE}, or into the environment variable SVC_RUNNER_TOKEN; not behind the command, where others
        could read it.
      </p>
      <ReceivedValue label="Token" value={token} />
      <CopiedValue
        label="Command"
        value={`svc runner --host ${location.origin} --token-file ${TOKEN_FILE}`}
      />
      <div className={styles.row}>
        <Button onClick={() => change(() => ({ enrolled: null }))} variant="filled">
          I have kept the token
        </Button>
      </div>
      <FocusReturn to={fieldId('name')} />
    </section>
  )
}

function EnrolForm() {
  const { ask, change } = useDesk()
  const typed = useDeskState(({ manage }) => manage.runnerName)
  const name = typed.trim()
  const enrol = useAct('enrol', async () => {
    const { token } = await ask('POST /api/v1/svc-apps/runners', { body: { name } })
    return {
      change: () => ({ enrolled: { name, token }, runnerName: '' }),
      said: `${name} was enrolled; its token is shown once`,
      reads: RUNNERS,
    }
  })
  return (
    <form
      aria-label="Enrol a machine"
      className={styles.section}
      onSubmit={(event) => {
        event.preventDefault()
        if (name === '') focusField('name')
        else enrol.run()
      }}
    >
      <Line
        error={errorsOf(enrol)('name')}
        field="name"
        help="A name for the machine."
        label="Name"
        onType={(runnerName) => change(() => ({ runnerName }))}
        value={typed}
      />
      <TroubleNote act={enrol} />
      <div className={styles.row}>
        <Button loading={enrol.isBusy} type="submit" variant="filled">
          Enrol a machine
        </Button>
      </div>
    </form>
  )
}
