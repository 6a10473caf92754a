import { AskFirst } from '../components/ask-first.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { factsOf, type Runner } from '../state/runner.ts'
import { Chip } from './chip.tsx'
import { RUNNERS } from './lists.ts'
import styles from './manage-page.module.css'

/** One machine. `stale`: the host did not confirm how it is. */
export function RunnerCard({ runner, now, stale }: { runner: Runner; now: number; stale: boolean }) {
  const { ask } = useDesk()
  const { runner_id, name, state } = runner
  const revoke = useAct(`revoke ${runner_id}`, async () => {
    await ask('DELETE /api/v1/svc-apps/runners/{runner_id}', { params: { runner_id } })
    return { said: `${name} was revoked`, reads: RUNNERS }
  })
  const headingId = `runner-${runner_id}`
  return (
    <li className={styles.card} data-heading={headingId} data-runner={runner_id}>
      <div className={styles.rowHead}>
        <h4 className={styles.name} id={headingId} tabIndex={-1}>
          {name}
        </h4>
        <span className={styles.gap} />
        {!stale && <Chip tone={state === 'online' ? 'good' : 'still'}>{state}</Chip>}
      </div>
      <dl className={styles.facts}>
        {factsOf(runner, now).map(([what, text]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <AskFirst act={revoke} does="Revoke it" name={`Revoke ${name}`} stale={stale} word="Revoke">
        <p className={styles.text}>
          Its connection closes at once, with all its calls and jobs, and its token stops working.
        </p>
      </AskFirst>
    </li>
  )
}
