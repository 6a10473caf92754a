import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import styles from './cards.module.css'

/** What is asked before it is done, and the words for it. */
export interface FirstQuestion {
  /** The name of button and question for who does not see what they stand in, such as `Cancel describe of CSV lens`. */
  readonly name: string
  /** On the button that asks, on the one that does it, and on the one that does not. */
  readonly word: string
  readonly act: string
  readonly keep: string
  /** Whether what is asked can be taken back after all: its button is no warning then. */
  readonly isHarmless?: boolean
}

/**
 * The foot of a card whose button asks before it does something. Escape leaves all as it is. The keyboard goes to the
 * field of the question, where it has one, else to the button that does nothing.
 */
export function AskFirst({
  asked: { name, word, act, keep, isHarmless = false },
  question,
  busy,
  stale,
  onAct,
  children,
}: {
  asked: FirstQuestion
  question: ReactNode
  busy: boolean
  stale: boolean
  onAct: () => void
  children: ReactNode
}) {
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setAsking(false)
    button.current?.focus()
  }
  return (
    <>
      <div className={styles.foot}>
        {children}
        <Button
          aria-expanded={asking}
          aria-label={name}
          disabled={stale}
          onClick={() => setAsking(!asking)}
          ref={button}
          size="compact-sm"
          variant="default"
        >
          {word}
        </Button>
      </div>
      {asking && !stale && (
        <form
          aria-label={name}
          className={styles.ask}
          onKeyDown={({ key }) => {
            if (key === 'Escape') leave()
          }}
          onSubmit={(event) => {
            event.preventDefault()
            onAct()
          }}
          ref={takeKeyboard}
        >
          {question}
          <div className={styles.actions}>
            <Button onClick={leave} size="compact-sm" variant="default">
              {keep}
            </Button>
            <Button {...(!isHarmless && { color: 'red' })} loading={busy} size="compact-sm" type="submit">
              {act}
            </Button>
          </div>
        </form>
      )}
    </>
  )
}

/** Who was asked answers at once. */
const takeKeyboard = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('input, button')?.focus()
