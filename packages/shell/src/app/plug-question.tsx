import { Button } from '@mantine/core'
import { publisherText } from '@svc/contract/publisher'
import { useRef } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useIsNew } from '../components/use-is-new.ts'
import { answerAsk, askId, type PlugAsk, shownAsk } from '../state/plug-ask.ts'
import styles from './question.module.css'
import { Question } from './question.tsx'

/** Asks whether a plugin of another may run, where an app called one that its user has not agreed to. */
export function PlugQuestion() {
  const ask = useDeskState(shownAsk)
  return ask ? <Asked ask={ask} key={askId(ask)} /> : null
}

/** The keyboard begins at what changes nothing: a key that was meant for an app lets nothing run. */
function Asked({ ask }: { ask: PlugAsk }) {
  const desk = useDesk()
  const isBusy = useDeskState(({ plugAsks }) => plugAsks.isBusy)
  const isNew = useIsNew()
  const windowKey = useDeskState(({ windows }) => windows.find(({ uuid }) => uuid === ask.window_uuid)?.key)
  const later = useRef<HTMLButtonElement>(null)
  const answer = (said: Parameters<typeof answerAsk>[2]) => () => void answerAsk(desk, ask, said)
  const { app, name, publisher, version, distribution, needs, reach } = ask
  return (
    <Question
      aria-describedby="plug-question-text"
      aria-labelledby="plug-question"
      onEscape={answer('later')}
      start={later}
      windowKey={windowKey}
    >
      <h2 className={styles.title} id="plug-question">
        Let <bdi>{app}</bdi> run the plugin <bdi>{name}</bdi>?
      </h2>
      <div className={styles.text} id="plug-question-text">
        <p>
          It is a program by{' '}
          <strong>
            <bdi>{publisherText(publisher)}</bdi>
          </strong>
          , version {version}: <bdi>{distribution}</bdi>. It would run on your machine.
        </p>
        {needs && (
          <p>
            <bdi>{needs}</bdi>
          </p>
        )}
        <p>
          <bdi>{reach}</bdi>
        </p>
        <p className={styles.soft}>
          Agree only if you trust its author. You are asked again when any of this changes.
        </p>
      </div>
      <div className={styles.actions}>
        <Button disabled={isBusy} onClick={answer('later')} ref={later} size="sm">
          Not now
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('never')} size="sm">
          Never
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('always')} size="sm">
          Always
        </Button>
        <Button disabled={isBusy || isNew} onClick={answer('once')} size="sm" variant="filled">
          Once, in this window
        </Button>
      </div>
    </Question>
  )
}
