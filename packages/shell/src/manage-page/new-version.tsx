import { Button } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { changeLines, changesText } from '../manage/changes.ts'
import { ownWork } from '../manage/keep-plug.ts'
import { fieldId } from '../state/field.ts'
import type { VersionPreview } from '../state/plug.ts'
import { GivesBack } from './keyboard.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'
import { TroubleNote } from './trouble-note.tsx'
import { focusField, useAct, useErrors, useWork } from './use-work.ts'

/** Publishing what was saved as another version: the difference first. */
export function NewVersion({ toolId, hasVersions }: { toolId: string; hasVersions: boolean }) {
  const desk = useDesk()
  const { keeper } = desk.manage
  const version = useDeskState(({ manage }) => manage.nextVersions[toolId]) ?? ''
  const preview = useDeskState(({ manage }) => manage.previews[toolId])
  const isTyped = useDeskState(({ manage }) => manage.edits[toolId] !== undefined)
  const works = [ownWork.preview(toolId), ownWork.publish(toolId)] as const
  const { isBusy } = useWork(works[0])
  const errorOf = useErrors(...works)
  const act = useAct(works[0])

  function compare(): void {
    if (isTyped) {
      desk.say('Save or discard your changes first')
      focusField('name')
    } else act(() => keeper.preview(toolId))
  }
  return (
    <section aria-label="New version" className={styles.section}>
      <h4 className={styles.sectionTitle}>New version</h4>
      <p className={styles.soft}>
        {isTyped
          ? 'Your changes below are not saved: save or discard them first.'
          : hasVersions
            ? 'Publishing freezes what you have saved since the last version as a new one.'
            : 'Publishing freezes what you have saved as the first version.'}
      </p>
      <Line
        error={errorOf('publish_version')}
        field="publish_version"
        help="SemVer, such as 1.1.0. Leave it empty for the next one."
        label="Version"
        onType={(text) => keeper.typeVersion(toolId, text)}
        value={version}
      />
      <div className={styles.row}>
        <Button loading={isBusy} onClick={compare} size="compact-sm" variant="light">
          Show the changes
        </Button>
      </div>
      <TroubleNote work={works[0]} />
      {preview && <Difference preview={preview} toolId={toolId} />}
    </section>
  )
}

function Difference({ preview, toolId }: { preview: VersionPreview; toolId: string }) {
  const { keeper } = useDesk().manage
  const work = ownWork.publish(toolId)
  const { isBusy } = useWork(work)
  const { from, version, changes } = preview
  const act = useAct(work)
  return (
    <section aria-label="Difference" className={styles.difference}>
      <p className={styles.text} role="status">
        {version === null
          ? `Nothing has changed since ${from}.`
          : from === null
            ? `First version: ${version}.`
            : `From ${from} to ${version}: ${changesText(changes)}.`}
      </p>
      <ul className={styles.words}>
        {changeLines(changes).map(({ kind, what, path }) => (
          <li data-kind={kind} key={`${kind} ${path}`}>
            <strong>{kind}</strong> {what} <code>{path}</code>
          </li>
        ))}
      </ul>
      <TroubleNote whole work={work} />
      <div className={styles.row}>
        <Button
          loading={isBusy}
          onClick={() => act(() => keeper.publish(toolId))}
          size="compact-sm"
          variant={version === null ? 'default' : 'filled'}
        >
          {version === null ? 'Publish anyway' : `Publish ${version}`}
        </Button>
        <Button onClick={() => keeper.leavePreview(toolId)} size="compact-sm" variant="default">
          Leave it
        </Button>
      </div>
      <GivesBack to={fieldId('publish_version')} />
    </section>
  )
}
