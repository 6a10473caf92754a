import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type Binary, type DistributionForm, platforms, withBinary } from '../state/distribution-form.ts'
import { fieldId } from '../state/field.ts'
import { FocusReturn } from './keyboard.tsx'
import styles from './manage-page.module.css'

const labels = { url: 'URL', sha256: 'SHA-256' } as const

/** The program of each platform: where it is downloaded, and the sum that it is checked against. */
export function Binaries({
  form,
  error,
  onChange,
}: {
  form: DistributionForm
  error: string | undefined
  onChange: (binaries: readonly Binary[]) => void
}) {
  const { binaries } = form
  const set = (at: number, how: Partial<Binary>) =>
    onChange(binaries.map((one, index) => (index === at ? { ...one, ...how } : one)))
  return (
    <fieldset className={styles.fieldset}>
      <legend>Platforms</legend>
      {error !== undefined && (
        <p className={styles.fieldError} role="alert">
          {error}
        </p>
      )}
      {binaries.map(({ platform, ...binary }, at) => (
        <div className={styles.binary} key={platform}>
          <NativeSelect
            data={platforms.filter(
              (name) => name === platform || binaries.every((one) => one.platform !== name),
            )}
            label="Platform"
            onChange={(event) => set(at, { platform: event.currentTarget.value })}
            value={platform}
          />
          {(['url', 'sha256'] as const).map((field) => (
            <TextInput
              {...(at === 0 && field === 'url' && { id: fieldId('binaries') })}
              key={field}
              label={`${labels[field]} for ${platform}`}
              onChange={(event) => set(at, { [field]: event.currentTarget.value })}
              value={binary[field]}
            />
          ))}
          {binaries.length > 1 && (
            <Button
              aria-label={`Remove ${platform}`}
              onClick={() => onChange(binaries.filter((_, index) => index !== at))}
            >
              Leave out
            </Button>
          )}
          <FocusReturn to={fieldId('binaries')} />
        </div>
      ))}
      {binaries.length < platforms.length && (
        <Button onClick={() => onChange(withBinary(form))}>Add a platform</Button>
      )}
    </fieldset>
  )
}
