import { useRef } from 'react'
import { useKeptFocus } from '../components/use-kept-focus.ts'
import { marks, versionRows } from '../manage/plugin-status.ts'
import type { PlugVersion } from '../state/plug.ts'
import { Chip } from './chip.tsx'
import styles from './manage-page.module.css'
import { MarkVersion } from './mark-version.tsx'

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The frozen versions of a plugin, the newest first. */
export function Versions({ toolId, versions }: { toolId: string; versions: readonly PlugVersion[] }) {
  const room = useRef<HTMLElement>(null)
  useKeptFocus(room, versions)
  return (
    <section aria-label="Versions" className={styles.group} ref={room}>
      <h3 className={styles.placeTitle}>Versions</h3>
      {versions.length === 0 && (
        <p className={styles.soft}>
          There are no versions yet. Publishing one, or showing the plugin to others, creates it.
        </p>
      )}
      <ol aria-label="Versions" className={styles.list}>
        {versions.map((one) => (
          <Version key={one.version} toolId={toolId} version={one} versions={versions} />
        ))}
      </ol>
    </section>
  )
}

function Version({
  toolId,
  version: { version, status, reason, successor, created_at },
  versions,
}: {
  toolId: string
  version: PlugVersion
  versions: readonly PlugVersion[]
}) {
  const { word, tone } = versionRows[status]
  const headingId = `version-${version}`
  const successors = versions.filter((one) => one.version !== version && one.status !== 'yanked')
  return (
    <li className={styles.card} data-heading={headingId}>
      <div className={styles.rowHead}>
        <h4 className={styles.name} id={headingId} tabIndex={-1}>
          {version}
        </h4>
        <time className={styles.soft} dateTime={created_at}>
          {dates.format(Date.parse(created_at))}
        </time>
        <span className={styles.gap} />
        <Chip tone={tone}>{word}</Chip>
      </div>
      {reason !== null && <p className={styles.text}>{reason}</p>}
      {successor !== null && <p className={styles.soft}>Use {successor} in its place.</p>}
      <div className={styles.marks}>
        {marks[status].map((row) => (
          <MarkVersion
            key={row.status}
            row={row}
            successors={successors.map((one) => one.version)}
            toolId={toolId}
            version={version}
          />
        ))}
      </div>
    </li>
  )
}
