import { NativeSelect, TextInput } from '@mantine/core'
import { PLUG_REASON_MAX_CHARS } from '@svc/contract/browser'
import { useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useDesk } from '../components/use-desk.ts'
import { ownWork } from '../manage/keep-plug.ts'
import type { MarkRow } from '../manage/standing.ts'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { useWork } from './use-work.ts'

/** Deprecates a version, yanks it, or takes that back; asks for a reason and what comes in its place. */
export function MarkVersion({
  toolId,
  version,
  successors,
  row: { status, word, act, sentence, isExplained },
}: {
  toolId: string
  version: string
  successors: readonly string[]
  row: MarkRow
}) {
  const { keeper } = useDesk().manage
  const work = ownWork.mark(toolId, version)
  const { isBusy } = useWork(work)
  const [reason, setReason] = useState('')
  const [successor, setSuccessor] = useState('')
  const given = {
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(successor !== '' && { successor }),
  }
  return (
    <AskFirst
      asked={{ name: `${word} ${version}`, word, act, keep: 'Leave it' }}
      busy={isBusy}
      onAct={() => void keeper.mark(toolId, version, { status, ...(isExplained && given) })}
      question={
        <div className={styles.stack}>
          {isExplained && (
            <>
              <TextInput
                autoComplete="off"
                label="Reason (optional)"
                maxLength={PLUG_REASON_MAX_CHARS}
                onChange={(event) => setReason(event.currentTarget.value)}
                value={reason}
              />
              {successors.length > 0 && (
                <NativeSelect
                  data={[
                    { value: '', label: 'none' },
                    ...successors.map((value) => ({ value, label: value })),
                  ]}
                  label="Replacement (optional)"
                  onChange={(event) => setSuccessor(event.currentTarget.value)}
                  value={successor}
                />
              )}
            </>
          )}
          <p className={styles.soft}>{sentence}</p>
          <TroubleNote whole work={work} />
        </div>
      }
      stale={false}
    >
      <span />
    </AskFirst>
  )
}
