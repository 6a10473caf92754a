import { Radio } from '@mantine/core'
import type { Visibility } from '@svc/contract'
import { visibilityRows } from '../manage/visibility.ts'
import styles from './manage-page.module.css'

const rows = Object.entries(visibilityRows) as [Visibility, (typeof visibilityRows)[Visibility]][]

/** Who sees a plugin: each choice with a sentence who that is. */
export function VisibilityChoice({
  value,
  onChoose,
}: {
  value: Visibility
  onChoose: (visibility: Visibility) => void
}) {
  return (
    <Radio.Group
      label="Visibility"
      onChange={(chosen) => {
        const row = rows.find(([name]) => name === chosen)
        if (row) onChoose(row[0])
      }}
      value={value}
    >
      <div className={styles.choices}>
        {rows.map(([name, { label, sentence }]) => (
          <Radio description={sentence} key={name} label={label} value={name} />
        ))}
      </div>
    </Radio.Group>
  )
}
