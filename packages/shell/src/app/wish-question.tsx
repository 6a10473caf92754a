import { Button } from '@mantine/core'
import { useRef } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useIsNew } from '../components/use-is-new.ts'
import { answerWish, shownWish, siteOf, type WishAsk } from '../state/wish-ask.ts'
import styles from './question.module.css'
import { Question } from './question.tsx'

/** Asks whether an app may open a page of another site, or save a file. */
export function WishQuestion() {
  const ask = useDeskState(shownWish)
  return ask ? <Asked ask={ask} key={ask.key} /> : null
}

/** The keyboard begins at what opens nothing: a key that was meant for an app leads nowhere. */
function Asked({ ask }: { ask: WishAsk }) {
  const desk = useDesk()
  const isNew = useIsNew()
  const no = useRef<HTMLButtonElement>(null)
  const answer = (isYes: boolean) => () => answerWish(desk, ask, isYes)
  const { wish } = ask
  const isLink = 'url' in wish
  return (
    <Question
      aria-describedby="wish-question-text"
      aria-labelledby="wish-question"
      onEscape={answer(false)}
      start={no}
      windowKey={ask.key}
    >
      <h2 className={styles.title} id="wish-question">
        {isLink ? (
          <>
            Let <bdi>{ask.app}</bdi> open <bdi>{siteOf(wish.url)}</bdi>?
          </>
        ) : (
          <>
            Let <bdi>{ask.app}</bdi> save a file?
          </>
        )}
      </h2>
      <div className={styles.text} id="wish-question-text">
        <p className={styles.address}>
          <bdi>{isLink ? wish.url : wish.name}</bdi>
        </p>
        <p className={styles.soft}>
          {isLink
            ? 'It opens in a new tab. You are asked once for each site.'
            : 'It goes to your downloads. You are asked once for each app.'}
        </p>
      </div>
      <div className={styles.actions}>
        <Button onClick={answer(false)} ref={no} size="sm">
          Not now
        </Button>
        <Button disabled={isNew} onClick={answer(true)} size="sm" variant="filled">
          {isLink ? 'Open' : 'Save'}
        </Button>
      </div>
    </Question>
  )
}
