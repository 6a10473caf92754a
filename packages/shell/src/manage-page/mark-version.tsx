import { NativeSelect, TextInput } from '@mantine/core'
import { PLUG_REASON_MAX_CHARS } from '@svc/contract/browser'
import { useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import type { MarkRow } from '../manage/plugin-status.ts'
import { PLUGS } from './lists.ts'
import styles from './manage-page.module.css'

/** Deprecates a version, yanks it, or undoes that; asks for a reason and what comes in its place. */
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
  const { ask } = useDesk()
  const [reason, setReason] = useState('')
  const [successor, setSuccessor] = useState('')
  const given = {
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(successor !== '' && { successor }),
  }
  const mark = useAct(`mark ${toolId} ${version}`, async () => {
    const marked = await ask('PATCH /plugs/my/tools/{tool_id}/versions/{version}', {
      params: { tool_id: toolId, version },
      body: { status, ...(isExplained && given) },
    })
    return { said: `Version ${version} is ${marked.status}`, reads: PLUGS }
  })
  return (
    <AskFirst act={mark} does={act} keep="Leave it" name={`${word} ${version}`} word={word}>
      {isExplained && (
        <>
          <TextInput
            label="Reason (optional)"
            maxLength={PLUG_REASON_MAX_CHARS}
            onChange={(event) => setReason(event.currentTarget.value)}
            value={reason}
          />
          {successors.length > 0 && (
            <NativeSelect
              data={[{ value: '', label: 'none' }, ...successors.map((value) => ({ value, label: value }))]}
              label="Replacement (optional)"
              onChange={(event) => setSuccessor(event.currentTarget.value)}
              value={successor}
            />
          )}
        </>
      )}
      <p className={styles.soft}>{sentence}</p>
    </AskFirst>
  )
}
