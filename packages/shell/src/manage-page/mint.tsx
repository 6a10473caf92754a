import { Button } from '@mantine/core'
import { Choice } from '../components/choice.tsx'
import { TroubleNote } from '../components/trouble-note.tsx'
import { type Act, focusField } from '../components/use-act.ts'
import { fieldId } from '../state/field.ts'
import { lengthText } from '../state/length.ts'
import type { NewPlug } from '../state/plug-form.ts'
import { ReceivedValue } from './copied-value.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'

const types = {
  tool: { label: 'Tool: a process with tools' },
  skill: { label: 'Skill: a README, no process' },
} as const

/** Name and type, and the id that the host mints of them; both are settled by the mint. */
export function Mint({
  plug,
  now,
  mint,
  error,
  onChange,
}: {
  plug: NewPlug
  /** In Unix ms. */
  now: number
  mint: Act
  error: string | undefined
  onChange: (how: Partial<NewPlug>) => void
}) {
  const { draft, fields, type } = plug
  const left = draft === null ? 0 : Date.parse(draft.expires_at) - now
  if (draft && left > 0)
    return (
      <section aria-label="Name and id" className={styles.section}>
        <p className={styles.text}>
          <strong>{fields.name}</strong>, a {type}
        </p>
        <ReceivedValue
          help={`Reserved for you for another ${lengthText(left)}. Once you create the plugin, it keeps this id for good.`}
          label="Tool id"
          value={draft.tool_id}
        />
      </section>
    )
  return (
    <form
      aria-label="Name and id"
      className={styles.section}
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.name.trim() === '') focusField('name')
        else mint.run()
      }}
    >
      <Line
        error={error}
        field="name"
        label="Name"
        onType={(name) => onChange({ fields: { ...fields, name } })}
        value={fields.name}
      />
      <Choice
        className={styles.radios}
        label="Type"
        onChoose={(type) => onChange({ type })}
        rows={types}
        value={type}
      />
      {draft && <p className={styles.text}>The id {draft.tool_id} has expired; what you typed is kept.</p>}
      <div className={styles.row}>
        <Button id={fieldId('mint')} loading={mint.isBusy} type="submit" variant="light">
          {draft ? 'Mint another id' : 'Mint the tool id'}
        </Button>
      </div>
      <TroubleNote act={mint} />
    </form>
  )
}
