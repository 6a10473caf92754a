import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { icons } from '../components/icons.tsx'
import { timeText } from '../components/time-text.ts'
import { useCopy } from '../components/use-copy.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { type Notice, noticeText } from '../state/notices.ts'
import styles from './panels.module.css'

/** One notice: the code, the sentence, the hint, and more on demand. */
export function NoticeCard({ notice }: { notice: Notice }) {
  const [copied, setCopied] = useState(false)
  const { code, sentence, hint, source, details, count, at } = notice
  const copy = useCopy()
  return (
    <article aria-label={`${code}: ${sentence}`} className={styles.notice}>
      <div className={styles.noticeHead}>
        <code className={styles.code}>{code}</code>
        {count > 1 && <span className={styles.count}>{count} times</span>}
        <span className={styles.gap} />
        <ActionIcon
          aria-label={copied ? 'Copied' : 'Copy'}
          onClick={() => void copy(noticeText(notice)).then(setCopied)}
          size="sm"
        >
          {icons.copy}
        </ActionIcon>
      </div>
      <p className={styles.sentence}>{sentence}</p>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
      <div className={styles.meta}>
        <span className={styles.source}>{source}</span>
        <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
      </div>
      <NoticeActions notice={notice} />
      {details !== '' && (
        <details className={styles.details}>
          <summary>Details</summary>
          <pre className={styles.pre}>{details}</pre>
        </details>
      )}
    </article>
  )
}

/** What can be done about a notice. */
export function NoticeActions({ notice }: { notice: Notice }) {
  const desk = useDesk()
  const { origin, offersClose, offersOpen } = notice
  const windows = useDeskState((state) => state.windows)
  const stays = offersClose ? windows.find(({ key }) => key === origin?.windowKey) : undefined
  return (
    <>
      {stays && (
        <Button
          loading={stays.phase === 'closing'}
          onClick={() => {
            desk.closeAnyway(stays.key)
            desk.dismiss(notice.id)
          }}
        >
          Close anyway
        </Button>
      )}
      {offersOpen && (
        <Button
          onClick={() => {
            desk.open(offersOpen.appId, offersOpen.view)
            desk.dismiss(notice.id)
          }}
        >
          Open again
        </Button>
      )}
    </>
  )
}
