import { ActionIcon, Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { NoticeActions } from '../panels/notice-card.tsx'
import { CARD_MS, type Notice, shownOver } from '../state/notices.ts'
import styles from './toasts.module.css'

/**
 * The newest notice that has a card, in a place of its own where it lies over nothing. It goes after a while, and the
 * ones behind it with it; all of them stay in their panel.
 */
export function Toasts() {
  const notices = useDeskState((state) => state.notices)
  const panel = useDeskState((state) => state.panel)
  const cards = panel === 'notices' ? [] : shownOver(notices)
  const [newest] = cards
  return (
    <section aria-label="New notices" aria-live="polite" className={styles.place} id="new-notices">
      {newest && <Toast count={cards.length} key={`${newest.id} ${newest.at}`} notice={newest} />}
    </section>
  )
}

function Toast({ notice, count }: { notice: Notice; count: number }) {
  const desk = useDesk()
  // A pointer on it and the keyboard in it.
  const [held, setHeld] = useState(0)
  useEffect(() => {
    if (held > 0) return
    let isOver = false
    desk.later(() => {
      if (!isOver) desk.dismiss()
    }, CARD_MS)
    return () => {
      isOver = true
    }
  }, [desk, held])
  const { sentence, hint, source } = notice
  const hold = () => setHeld((holds) => holds + 1)
  const letGo = () => setHeld((holds) => holds - 1)
  return (
    <article
      aria-label={sentence}
      className={styles.toast}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && letGo()}
      onFocus={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && hold()}
      onPointerEnter={hold}
      onPointerLeave={letGo}
    >
      {icons.alert}
      <p className={styles.text} title={hint === null ? sentence : `${sentence}\n${hint}`}>
        {sentence} <span className={styles.soft}>{hint ?? source}</span>
      </p>
      <NoticeActions notice={notice} />
      <Button onClick={() => desk.setPanel('notices')} variant="subtle">
        {count > 1 ? `Show all ${count}` : 'Show'}
      </Button>
      <ActionIcon
        aria-label={count > 1 ? `Dismiss all ${count}` : 'Dismiss'}
        onClick={() => desk.dismiss()}
        size="sm"
      >
        {icons.close}
      </ActionIcon>
    </article>
  )
}
