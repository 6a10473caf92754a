import { Button, Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import styles from './cards.module.css'
import { TroubleNote } from './trouble-note.tsx'
import type { Act } from './use-act.ts'

/**
 * The foot of a card whose button asks before it does something; `children` is the question. Escape leaves all as it is.
 * The keyboard goes to the field of the question, where it has one, else to the button that does nothing.
 */
export function AskFirst({
  act,
  name,
  word,
  does,
  keep = 'Keep it',
  isHarmless = false,
  stale = false,
  beside = <span />,
  children,
}: {
  act: Pick<Act, 'isBusy' | 'trouble' | 'run'>
  /**
   * The name of button and question for users who do not see what they are part of, such as `Cancel describe of CSV
   * lens`.
   */
  name: string
  /** On the button that asks, on the one that does it, and on the one that does not. */
  word: string
  does: string
  keep?: string
  /** What is asked can be taken back after all: its button is no warning then. */
  isHarmless?: boolean
  /** Nobody knows whether it can be done at the moment. */
  stale?: boolean
  /** What is beside the button. */
  beside?: ReactNode
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
        {beside}
        <Button
          aria-expanded={asking}
          aria-label={name}
          disabled={stale}
          onClick={() => setAsking(!asking)}
          ref={button}
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
            act.run()
          }}
          ref={takeKeyboard}
        >
          <Stack gap={10}>
            {children}
            <TroubleNote act={act} whole />
          </Stack>
          <div className={styles.actions}>
            <Button onClick={leave}>{keep}</Button>
            <Button
              {...(!isHarmless && { color: 'red' })}
              loading={act.isBusy}
              type="submit"
              variant="filled"
            >
              {does}
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
