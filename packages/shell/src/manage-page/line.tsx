import { Textarea, TextInput } from '@mantine/core'
import { type FieldName, fieldId } from '../state/field.ts'
import styles from './manage-page.module.css'

/** A field of text: one line, or as many `rows` as it has room for. */
export function Line({
  field,
  label,
  help,
  value,
  error,
  rows,
  onType,
}: {
  field: FieldName
  label: string
  help?: string
  value: string
  error: string | undefined
  rows?: number
  onType: (text: string) => void
}) {
  const shared = { id: fieldId(field), label, description: help, error, value, autoComplete: 'off' }
  return rows === undefined ? (
    <TextInput {...shared} onChange={(event) => onType(event.currentTarget.value)} />
  ) : (
    <Textarea
      {...shared}
      classNames={{ input: styles.area ?? '' }}
      onChange={(event) => onType(event.currentTarget.value)}
      rows={rows}
    />
  )
}
