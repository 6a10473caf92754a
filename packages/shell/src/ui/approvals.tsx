import { Button } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import type { Approval } from '../desk/approvals.ts'
import styles from './approvals.module.css'
import { useDesk, useDeskState } from './use-desk.ts'
import { useIsNew } from './use-is-new.ts'

/** The oldest call that waits for the user's yes: what is asked, by which app, with which arguments. */
export function Approvals() {
  const first = useDeskState((state) => state.approvals[0])
  return first ? <Question approval={first} key={first.approval_id} /> : null
}

/** The keyboard comes to the question and to none of its buttons: a key that was meant for an app says nothing. */
function Question({ approval }: { approval: Approval }) {
  const desk = useDesk()
  const others = useDeskState((state) => state.approvals.length - 1)
  const apps = useDeskState((state) => state.apps)
  const section = useRef<HTMLElement>(null)
  const isNew = useIsNew()
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = section.current
    element?.focus()
    return () => {
      if (before instanceof HTMLElement && element?.contains(document.activeElement)) before.focus()
    }
  }, [])
  const { approval_id: id, app_id, tool_name, plugin_name, description, args_text, args_cut } = approval
  const app = apps.find((one) => one.app_id === app_id)?.name ?? 'An app'
  const answer = (word: 'once' | 'always' | 'no') => () => void desk.answerApproval(id, word)
  return (
    <section
      aria-describedby="approval-text"
      aria-label={`${app} asks for your yes`}
      className={styles.approval}
      ref={section}
      role="alertdialog"
      tabIndex={-1}
    >
      <h2 className={styles.title}>
        Let {app} use {tool_name} of the plugin {plugin_name}?
      </h2>
      <div className={styles.text} id="approval-text">
        <p>It may not be possible to undo this.</p>
        {description !== '' && <p>The plugin says what it does: {description}</p>}
        <p>{app} wants to send it:</p>
        <pre className={styles.args}>{args_text}</pre>
        {args_cut && <p>There is more than is shown here.</p>}
        <p className={styles.soft}>Without your answer it is refused after a short while.</p>
        {others > 0 && (
          <p className={styles.soft}>
            {others} more {others === 1 ? 'waits' : 'wait'}.
          </p>
        )}
      </div>
      <div className={styles.words}>
        <Button disabled={isNew} onClick={answer('no')} variant="default">
          No
        </Button>
        <Button disabled={isNew} onClick={answer('always')} variant="default">
          Always in {app}
        </Button>
        <Button disabled={isNew} onClick={answer('once')}>
          This time
        </Button>
      </div>
    </section>
  )
}
