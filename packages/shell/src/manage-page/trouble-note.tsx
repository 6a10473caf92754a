import { icons } from '../components/icons.tsx'
import type { Act } from '../components/use-act.ts'
import styles from './manage-page.module.css'

/** Why something was not done, where no field is to blame; `whole`: also where one is. */
export function TroubleNote({ act: { trouble }, whole = false }: { act: Act; whole?: boolean }) {
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
