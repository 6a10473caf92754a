import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useDesk } from '../components/use-desk.ts'
import { ownWork } from '../manage/keep-plug.ts'
import type { OwnPlug } from '../state/plug.ts'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { useWork } from './use-work.ts'

/** Removes a plugin of whom types its name. */
export function RemovePlugin({ plug: { name, tool_id } }: { plug: OwnPlug }) {
  const { keeper } = useDesk().manage
  const work = ownWork.remove(tool_id)
  const { isBusy } = useWork(work)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function remove(): void {
    if (typed.trim() === name) void keeper.remove(tool_id)
    else setProblem(`Type ${name} to remove it.`)
  }
  return (
    <section aria-label="Remove" className={styles.section}>
      <AskFirst
        asked={{
          name: `Remove ${name}`,
          word: 'Remove the plugin',
          act: 'Remove it for good',
          keep: 'Keep it',
        }}
        busy={isBusy}
        onAct={remove}
        question={
          <div className={styles.stack}>
            <TextInput
              autoComplete="off"
              description="Apps released with one of its versions keep that version. Nobody else can find it, and its id is never used again."
              error={problem}
              label={`Type ${name} to confirm`}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setProblem(null)
              }}
              value={typed}
            />
            <TroubleNote whole work={work} />
          </div>
        }
        stale={false}
      >
        <span className={`${styles.soft} ${styles.level}`}>A plugin that is removed does not come back.</span>
      </AskFirst>
    </section>
  )
}
