import { Button } from '@mantine/core'
import { TroubleNote } from '../components/trouble-note.tsx'
import { type Act, errorsOf, focusField, useAct } from '../components/use-act.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { changeLines, changesText } from '../manage/changes.ts'
import { fieldId } from '../state/field.ts'
import { without } from '../state/manage-state.ts'
import type { VersionPreview } from '../state/plug.ts'
import { FocusReturn } from './keyboard.tsx'
import { Line } from './line.tsx'
import { PLUGS } from './lists.ts'
import styles from './manage-page.module.css'

/** Publishing what was saved as another version: the difference first. */
export function NewVersion({ toolId, hasVersions }: { toolId: string; hasVersions: boolean }) {
  const { ask, change, say } = useDesk()
  const version = useDeskState(({ manage }) => manage.nextVersions[toolId]) ?? ''
  const preview = useDeskState(({ manage }) => manage.previews[toolId])
  const isTyped = useDeskState(({ manage }) => manage.edits[toolId] !== undefined)
  // No letters: the host counts on.
  const body = version.trim() === '' ? {} : { version: version.trim() }
  const params = { tool_id: toolId }
  const previewAct = useAct(`preview ${toolId}`, async () => {
    const told = await ask('POST /plugs/my/tools/{tool_id}/versions', {
      params,
      query: { dry_run: '1' },
      body,
    })
    return { change: ({ previews }) => ({ previews: { ...previews, [toolId]: told as VersionPreview } }) }
  })
  const publish = useAct(`publish ${toolId}`, async () => {
    const published = await ask('POST /plugs/my/tools/{tool_id}/versions', { params, body })
    return {
      change: ({ nextVersions, previews }) => ({
        nextVersions: without(nextVersions, toolId),
        previews: without(previews, toolId),
      }),
      said: `Version ${published.version} was published`,
      reads: PLUGS,
    }
  })
  /** Puts the difference away. */
  function leave(): void {
    change(({ previews }) => ({ previews: without(previews, toolId) }))
    publish.forget()
  }

  function compare(): void {
    if (isTyped) {
      say('Save or discard your changes first')
      focusField('name')
    } else {
      leave()
      previewAct.run()
    }
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
        error={errorsOf(previewAct, publish)('publish_version')}
        field="publish_version"
        help="SemVer, such as 1.1.0. Leave it empty for the next one."
        label="Version"
        onType={(text) => {
          leave()
          change(({ nextVersions }) => ({ nextVersions: { ...nextVersions, [toolId]: text } }))
        }}
        value={version}
      />
      <div className={styles.row}>
        <Button loading={previewAct.isBusy} onClick={compare} variant="light">
          Show the changes
        </Button>
      </div>
      <TroubleNote act={previewAct} />
      {preview && <Difference onLeave={leave} preview={preview} publish={publish} />}
    </section>
  )
}

function Difference({
  preview: { from, version, changes },
  publish,
  onLeave,
}: {
  preview: VersionPreview
  publish: Act
  onLeave: () => void
}) {
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
      <TroubleNote act={publish} whole />
      <div className={styles.row}>
        <Button
          loading={publish.isBusy}
          onClick={publish.run}
          variant={version === null ? 'default' : 'filled'}
        >
          {version === null ? 'Publish anyway' : `Publish ${version}`}
        </Button>
        <Button onClick={onLeave}>Leave it</Button>
      </div>
      <FocusReturn to={fieldId('publish_version')} />
    </section>
  )
}
