import { icons } from '../components/icons.tsx'
import styles from './manage-page.module.css'
import { troubleText, useWork } from './use-work.ts'

/** Why something was not done, where no field is to blame; `whole`: also where one is. */
export function TroubleNote({ work, whole = false }: { work: string; whole?: boolean }) {
  const { trouble } = useWork(work)
  if (!trouble || (trouble.field !== 'form' && !whole)) return null
  return (
    <div className={styles.trouble} role="alert">
      {icons.alert}
      <p>
        <code>{trouble.code}</code> {troubleText(trouble)}
      </p>
    </div>
  )
}
