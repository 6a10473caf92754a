import { Button } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useApps, useDesk, useDeskState } from '../components/use-desk.ts'
import { useIsNew } from '../components/use-is-new.ts'
import { type Approval, type ApprovalAnswer, answerApproval } from '../state/approvals.ts'
import styles from './approvals.module.css'

const number = new Intl.NumberFormat('en')

/** The oldest call that waits for the user's yes: what is asked, by which app, with which arguments. */
export function Approvals() {
  const first = useDeskState((state) => state.approvals[0])
  return first ? <Question approval={first} key={first.approval_id} /> : null
}

/** The keyboard comes to the question and to none of its buttons: a key that was meant for an app says nothing. */
function Question({ approval }: { approval: Approval }) {
  const desk = useDesk()
  const others = useDeskState((state) => state.approvals.length - 1)
  const apps = useApps()
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
  const { approval_id: id, app_id, tool_name, plugin_name, description } = approval
  const { args_text, args_cut, args_bytes } = approval
  const app = apps.find((one) => one.app_id === app_id)?.name ?? 'An app'
  const answer = (word: ApprovalAnswer) => () => void answerApproval(desk, id, word)
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
        {args_cut && (
          <p className={styles.cut}>
            This is only the beginning: the first {number.format(args_text.length)} characters, of{' '}
            {number.format(args_bytes)} bytes in all. The tool gets what is not shown as well.
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className={styles.args} tabIndex={0}>
        {args_text}
      </pre>
      <div className={styles.text}>
        <p className={styles.soft}>Without your answer it is refused after a short while.</p>
        {others > 0 && (
          <p className={styles.soft}>
            {others} more {others === 1 ? 'waits' : 'wait'}.
          </p>
        )}
      </div>
      <div className={styles.words}>
        <Button disabled={isNew} onClick={answer('no')} size="sm">
          No
        </Button>
        {!args_cut && (
          <Button disabled={isNew} onClick={answer('always')} size="sm">
            Always in {app}
          </Button>
        )}
        <Button disabled={isNew} onClick={answer('once')} size="sm" variant="filled">
          {args_cut ? 'This time, with what is not shown' : 'This time'}
        </Button>
      </div>
    </section>
  )
}
