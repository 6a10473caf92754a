import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { without } from '../state/manage-state.ts'
import type { OwnPlug } from '../state/plug.ts'
import { OWN_PLUGS, withoutPlug } from './lists.ts'
import styles from './manage-page.module.css'

/** Removes a plugin of whom types its name. */
export function RemovePlugin({ plug: { name, tool_id } }: { plug: OwnPlug }) {
  const { ask, queries } = useDesk()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  const remove = useAct(`remove ${tool_id}`, async () => {
    await ask('DELETE /plugs/my/tools/{tool_id}', { params: { tool_id } })
    queries.setQueriesData({ queryKey: OWN_PLUGS }, withoutPlug(tool_id))
    return {
      change: ({ edits, place }) => ({
        edits: without(edits, tool_id),
        place: place.at === 'own' && place.toolId === tool_id ? { at: 'list' } : place,
      }),
      said: `${name} was removed`,
    }
  })

  function confirm(): void {
    if (typed.trim() === name) remove.run()
    else setProblem(`Type ${name} to remove it.`)
  }
  return (
    <section aria-label="Remove" className={styles.section}>
      <AskFirst
        act={{ ...remove, run: confirm }}
        beside={
          <span className={`${styles.soft} ${styles.level}`}>
            A plugin that is removed does not come back.
          </span>
        }
        does="Remove it for good"
        name={`Remove ${name}`}
        word="Remove the plugin"
      >
        <TextInput
          description="Apps released with one of its versions keep that version. Nobody else can find it, and its id is never used again."
          error={problem}
          label={`Type ${name} to confirm`}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setProblem(null)
          }}
          value={typed}
        />
      </AskFirst>
    </section>
  )
}
