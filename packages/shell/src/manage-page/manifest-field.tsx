import { Button, FileButton, Textarea } from '@mantine/core'
import { MANIFEST_MAX_BYTES } from '@svc/contract/browser'
import { type DragEvent, useState } from 'react'
import { useDesk } from '../components/use-desk.ts'
import { fieldId } from '../state/field.ts'
import { readManifest } from '../state/manifest-text.ts'
import styles from './manage-page.module.css'

/** The manifest as text: pasted, dropped or chosen as a file, or told by the plugin itself. */
export function ManifestField({
  text,
  error,
  help,
  onType,
  describe,
}: {
  text: string
  error: string | undefined
  help: string
  onType: (text: string) => void
  /** `null`: nothing can describe it. */
  describe: { readonly isBusy: boolean; readonly act: () => void } | null
}) {
  const desk = useDesk()
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)

  async function take(file: File | null | undefined): Promise<void> {
    if (!file) return
    const tooBig = file.size > MANIFEST_MAX_BYTES
    setFileProblem(
      tooBig ? `${file.name} has ${file.size} bytes; a manifest has at most ${MANIFEST_MAX_BYTES}.` : null,
    )
    if (tooBig) return
    onType(await file.text())
    desk.say(`${file.name} was read`)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <section
      aria-label="Manifest"
      className={styles.section}
      data-over={isOver || undefined}
      onDragLeave={() => setOver(false)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDrop={drop}
    >
      <Textarea
        classNames={{ input: `${styles.area} ${styles.mono}` }}
        description={help}
        error={fileProblem ?? readManifest(text).problem ?? error}
        id={fieldId('manifest')}
        label="Manifest"
        onChange={(event) => onType(event.currentTarget.value)}
        rows={5}
        spellCheck={false}
        value={text}
      />
      <div className={styles.row}>
        <FileButton accept=".json,application/json" onChange={(file) => void take(file)}>
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileButton>
        {describe && (
          <Button loading={describe.isBusy} onClick={describe.act}>
            Describe now
          </Button>
        )}
      </div>
      {describe?.isBusy && (
        <p className={styles.soft} role="status">
          A runner installs the plugin and asks it; that may take minutes.
        </p>
      )}
    </section>
  )
}
