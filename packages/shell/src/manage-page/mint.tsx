import { Button, Radio } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { newWork } from '../manage/make-plug.ts'
import { fieldId } from '../state/field.ts'
import { lengthText } from '../state/length.ts'
import type { NewPlug } from '../state/plug-form.ts'
import { CameValue } from './copied-value.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { focusField, useAct, useWork } from './use-work.ts'

const types = { tool: 'Tool: a process with tools', skill: 'Skill: a README, no process' } as const

/** Name and type, and the id that the host mints of them; both are settled by the mint. */
export function Mint({ plug, error }: { plug: NewPlug; error: string | undefined }) {
  const { maker } = useDesk().manage
  const now = useDeskState(({ manage }) => manage.shownAt)
  const { isBusy } = useWork(newWork.mint)
  const act = useAct(newWork.mint)
  const { draft, fields, type } = plug
  const left = draft === null ? 0 : Date.parse(draft.expires_at) - now

  function mint(): void {
    if (fields.name.trim() === '') focusField('name')
    else act(maker.mint)
  }
  const button = (word: string) => (
    <Button id={fieldId('mint')} loading={isBusy} size="compact-sm" type="submit" variant="light">
      {word}
    </Button>
  )
  if (draft && left > 0)
    return (
      <section aria-label="Name and id" className={styles.section}>
        <p className={styles.text}>
          <strong>{fields.name}</strong>, a {type}
        </p>
        <CameValue
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
        if (!isBusy) mint()
      }}
    >
      <Line
        error={error}
        field="name"
        label="Name"
        onType={(name) => maker.change(() => ({ fields: { ...fields, name } }))}
        value={fields.name}
      />
      <Radio.Group
        label="Type"
        onChange={(chosen) => maker.change(() => ({ type: chosen === 'skill' ? 'skill' : 'tool' }))}
        value={type}
      >
        <div className={styles.radios}>
          {Object.entries(types).map(([value, label]) => (
            <Radio key={value} label={label} value={value} />
          ))}
        </div>
      </Radio.Group>
      {draft && <p className={styles.text}>The id {draft.tool_id} has expired; what you typed is kept.</p>}
      <div className={styles.row}>{button(draft ? 'Mint another id' : 'Mint the tool id')}</div>
      <TroubleNote work={newWork.mint} />
    </form>
  )
}
