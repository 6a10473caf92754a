import { ActionIcon } from '@mantine/core'
import type { BuildProblem } from '@svc/contract'
import { useState } from 'react'
import { icons } from '../components/icons.tsx'
import { useApps } from '../components/use-desk.ts'
import styles from './build-notice.module.css'

/** What failed, and what the window below it is. */
const parts: Readonly<Record<BuildProblem['part'], readonly [title: string, soft: string]>> = {
  build: ['The last build failed', 'Until a build succeeds, this window shows the last good version.'],
  manifest: ['The manifest has a mistake', 'This goes when the manifest is saved without it.'],
  app: ['The app threw an error', 'This goes when a file of the app is saved.'],
  plugin: ['A plugin failed', 'This goes when its program is saved and starts.'],
}

const placeOf = ({ file, line, column }: BuildProblem) =>
  [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(':')

/** Over the document of an app that is being developed: what is wrong with it. It goes when that is over. */
export function BuildNotice({ appId, title }: { appId: string; title: string }) {
  const problem = useApps().find(({ app_id }) => app_id === appId)?.build_problem ?? null
  const [hidden, setHidden] = useState<typeof problem>(null)
  if (problem === null || problem === hidden) return null
  const { part, message, file, hint } = problem
  const [heading, soft] = parts[part]
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.head}>
        {icons.alert}
        <strong className={styles.title}>{heading}</strong>
        <ActionIcon
          aria-label={`Hide what is wrong with ${title}`}
          onClick={() => setHidden(problem)}
          size="sm"
        >
          {icons.close}
        </ActionIcon>
      </div>
      {file !== null && <code className={styles.file}>{placeOf(problem)}</code>}
      <p className={styles.message}>{message}</p>
      {hint !== null && <p className={styles.message}>{hint}</p>}
      <p className={styles.soft}>{soft}</p>
    </div>
  )
}
