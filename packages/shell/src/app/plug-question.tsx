import { Button } from '@mantine/core'
import { publisherText } from '@svc/contract/publisher'
import { useLayoutEffect, useRef } from 'react'
import { PageDialog } from '../components/page-dialog.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useIsNew } from '../components/use-is-new.ts'
import { answerAsk, askId, type PlugAsk, shownAsk } from '../state/plug-ask.ts'
import styles from './plug-question.module.css'

/** Asks whether a plugin of another may run, where an app called one that its user has not agreed to. */
export function PlugQuestion() {
  const ask = useDeskState(shownAsk)
  return ask ? <Question ask={ask} key={askId(ask)} /> : null
}

/** The keyboard begins at what changes nothing: a key that was meant for an app lets nothing run. */
function Question({ ask }: { ask: PlugAsk }) {
  const desk = useDesk()
  const isBusy = useDeskState(({ plugAsks }) => plugAsks.isBusy)
  const isNew = useIsNew()
  const later = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => later.current?.focus(), [])
  const answer = (said: Parameters<typeof answerAsk>[2]) => () => void answerAsk(desk, ask, said)
  const { app, name, publisher, version, distribution, reach } = ask
  return (
    <PageDialog
      aria-describedby="plug-question-text"
      aria-labelledby="plug-question"
      className={styles.dialog}
      onClose={answer('later')}
    >
      <h2 className={styles.title} id="plug-question">
        Let {app} run the plugin {name}?
      </h2>
      <div className={styles.text} id="plug-question-text">
        <p>
          It is a program by <strong>{publisherText(publisher)}</strong>, version {version}: {distribution}.
          It would run on your machine.
        </p>
        <p>{reach}</p>
        <p className={styles.soft}>
          Agree only if you trust its author. You are asked again when any of this is another.
        </p>
      </div>
      <div className={styles.actions}>
        <Button disabled={isBusy} onClick={answer('later')} ref={later} size="sm">
          Not now
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('never')} size="sm">
          Never
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('once')} size="sm">
          Once, in this window
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('always')} size="sm" variant="filled">
          Always
        </Button>
      </div>
    </PageDialog>
  )
}
