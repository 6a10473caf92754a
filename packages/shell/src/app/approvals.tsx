import { Button } from '@mantine/core'
import { useApps, useDesk, useDeskState } from '../components/use-desk.ts'
import { useIsNew } from '../components/use-is-new.ts'
import { useNow } from '../components/use-list.ts'
import { type Approval, type ApprovalAnswer, answerApproval, firstBatch } from '../state/approvals.ts'
import { lengthText } from '../state/length.ts'
import styles from './question.module.css'
import { Question } from './question.tsx'

const number = new Intl.NumberFormat('en')

/** The calls that wait for the user's yes, of one app in one card: what is asked, with which arguments. */
export function Approvals() {
  const batch = firstBatch(useDeskState((state) => state.approvals))
  const ids = batch.map((one) => one.approval_id).join(' ')
  // Another call is another question: its buttons take no click that was meant for fewer.
  return batch[0] ? <Ask batch={batch} first={batch[0]} key={ids} /> : null
}

/** The keyboard comes to the question and to none of its buttons: a key that was meant for an app says nothing. */
function Ask({ first, batch }: { first: Approval; batch: readonly Approval[] }) {
  const desk = useDesk()
  const others = useDeskState((state) => state.approvals.length) - batch.length
  const apps = useApps()
  const isNew = useIsNew()
  const left = Math.min(...batch.map(({ expires_at }) => Date.parse(expires_at))) - useNow(true)
  const { app_id, tool_name, plugin_name, tool_id } = first
  const app = apps.find((one) => one.app_id === app_id)?.name ?? 'An app'
  const answer = (word: ApprovalAnswer) => () => {
    for (const one of batch) void answerApproval(desk, one.approval_id, word)
  }
  const isOne = batch.length === 1
  const isCut = batch.some((one) => one.args_cut)
  const isSame = batch.every((one) => one.tool_id === tool_id)
  return (
    <Question
      aria-describedby="approval-text"
      aria-label={`${app} asks for your yes`}
      windowKey={first.windowKey}
    >
      <h2 className={styles.title}>
        {isOne ? (
          <>
            Let <bdi>{app}</bdi> use <bdi>{tool_name}</bdi> of <PluginName of={first} />?
          </>
        ) : (
          <>
            Let <bdi>{app}</bdi> make these {batch.length} calls?
          </>
        )}
      </h2>
      <div className={styles.text} id="approval-text">
        <p>It may not be possible to undo this.</p>
      </div>
      {batch.map((one) => (
        <Call app={app} isOne={isOne} key={one.approval_id} of={one} />
      ))}
      <div className={styles.text}>
        <p className={styles.soft}>
          Without your answer it is refused {left > 0 ? `in ${lengthText(left)}` : 'after a short while'}.
        </p>
        {others > 0 && (
          <p className={styles.soft}>
            {others} more {others === 1 ? 'waits' : 'wait'}.
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Button disabled={isNew} onClick={answer('no')} size="sm">
          {isOne ? 'No' : 'No to all'}
        </Button>
        {!isCut && isOne && (
          <Button disabled={isNew} onClick={answer('always')} size="sm">
            Always in {app}
          </Button>
        )}
        {!isCut && isSame && plugin_name !== null && (
          <Button disabled={isNew} onClick={answer('always_plugin')} size="sm">
            Always for {plugin_name} in {app}
          </Button>
        )}
        <Button disabled={isNew} onClick={answer('once')} size="sm" variant="filled">
          {isOne ? 'This time' : `All ${batch.length} this time`}
          {isCut && ', with what is not shown'}
        </Button>
      </div>
    </Question>
  )
}

/** One call: what it does, and what is sent. */
function Call({ of, app, isOne }: { of: Approval; app: string; isOne: boolean }) {
  const { tool_name, plugin_name, description, args_text, args_cut, args_bytes } = of
  return (
    <>
      <div className={styles.text}>
        {!isOne && (
          <h3 className={styles.call}>
            <bdi>{tool_name}</bdi> of <PluginName of={of} />
          </h3>
        )}
        {description !== '' && (
          <p>
            {plugin_name === null ? 'What it does' : 'The plugin says what it does'}: <bdi>{description}</bdi>
          </p>
        )}
        <p>
          <bdi>{app}</bdi> wants to send it:
        </p>
        {args_cut && (
          <p className={styles.cut}>
            This is only the beginning: the first {number.format(args_text.length)} characters, of{' '}
            {number.format(args_bytes)} bytes in all. The tool gets what is not shown as well.
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className={styles.args} tabIndex={0}>
        <bdi>{args_text}</bdi>
      </pre>
    </>
  )
}

function PluginName({ of: { plugin_name } }: { of: Approval }) {
  return (
    <>
      {plugin_name === null ? 'this host' : 'the plugin '}
      <bdi>{plugin_name}</bdi>
    </>
  )
}
