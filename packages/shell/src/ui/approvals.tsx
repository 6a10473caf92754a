import { Button } from '@mantine/core'
import styles from './approvals.module.css'
import { useDesk, useDeskState } from './use-desk.ts'

/** The oldest call that waits for the user's yes: what is asked, by which app, with which arguments. */
export function Approvals() {
  const desk = useDesk()
  const waiting = useDeskState((state) => state.approvals)
  const apps = useDeskState((state) => state.apps)
  const [first] = waiting
  if (!first) return null
  const { approval_id: id, tool_name, plugin_name, description, args_text, args_cut } = first
  const app = apps.find(({ app_id }) => app_id === first.app_id)?.name ?? 'An app'
  const answer = (word: 'once' | 'always' | 'no') => () => void desk.answerApproval(id, word)
  return (
    <section aria-label={`${app} asks for your yes`} className={styles.approval} role="alertdialog">
      <strong>
        {app} wants to use {tool_name} of {plugin_name}
      </strong>
      <p className={styles.soft}>
        What it does may not be undone. The plugin says of it: {description || 'nothing'}
      </p>
      <pre className={styles.args}>{args_text}</pre>
      {args_cut && <p className={styles.soft}>There is more than is shown here.</p>}
      {waiting.length > 1 && <p className={styles.soft}>{waiting.length - 1} more wait.</p>}
      <div className={styles.words}>
        <Button onClick={answer('no')} variant="default">
          No
        </Button>
        <Button onClick={answer('always')} variant="default">
          Always in {app}
        </Button>
        <Button onClick={answer('once')}>This time</Button>
      </div>
    </section>
  )
}
