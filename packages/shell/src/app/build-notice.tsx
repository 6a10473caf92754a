import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { icons } from '../components/icons.tsx'
import { useApps } from '../components/use-desk.ts'
import styles from './build-notice.module.css'

/** Over the document of an app that is being developed: why its last build failed. It goes with the next good one. */
export function BuildNotice({ appId, title }: { appId: string; title: string }) {
  const problem = useApps().find(({ app_id }) => app_id === appId)?.build_problem ?? null
  const [hidden, setHidden] = useState<typeof problem>(null)
  if (problem === null || problem === hidden) return null
  const { message, file, line } = problem
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.head}>
        {icons.alert}
        <strong className={styles.title}>The last build failed</strong>
        <ActionIcon
          aria-label={`Hide why the build of ${title} failed`}
          onClick={() => setHidden(problem)}
          size="sm"
        >
          {icons.close}
        </ActionIcon>
      </div>
      {file !== null && <code className={styles.file}>{line === null ? file : `${file}:${line}`}</code>}
      <p className={styles.message}>{message}</p>
      <p className={styles.soft}>This window shows the version before it. Fix the file and save it.</p>
    </div>
  )
}
