import styles from './cards.module.css'
import { icons } from './icons.tsx'
import type { Act } from './use-act.ts'

/** Why something was not done, where no field is to blame; `whole`: also where one is. */
export function TroubleNote({
  act: { trouble },
  whole = false,
}: {
  act: Pick<Act, 'trouble'>
  whole?: boolean
}) {
  if (!trouble || (trouble.field !== 'form' && !whole)) return null
  return (
    <div className={styles.trouble} role="alert">
      {icons.alert}
      <p>
        <code>{trouble.code}</code> {trouble.sentence}
      </p>
    </div>
  )
}
