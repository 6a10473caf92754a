import { Checkbox, NativeSelect } from '@mantine/core'
import { Choice } from '../components/choice.tsx'
import { type DistributionForm, type DistributionType, distributionRows } from '../state/distribution-form.ts'
import type { FieldName } from '../state/field.ts'
import { Binaries } from './binaries.tsx'
import { Line } from './line.tsx'
import styles from './manage-page.module.css'

const types = Object.entries(distributionRows).map(([value, { label }]) => ({ value, label }))
const protocols = {
  svc: { label: 'Plugin protocol (svc)' },
  mcp: { label: 'Model Context Protocol (MCP)' },
} as const

/** Where a plugin comes from: the fields that its type asks for. */
export function DistributionFields({
  form,
  errorOf,
  onChange,
}: {
  form: DistributionForm
  errorOf: (field: FieldName) => string | undefined
  onChange: (how: Partial<DistributionForm>) => void
}) {
  const { fields, help } = distributionRows[form.type]
  return (
    <section aria-label="Distribution" className={styles.section}>
      <h4 className={styles.sectionTitle}>Where it comes from</h4>
      <NativeSelect
        data={types}
        description={help}
        label="Type of distribution"
        onChange={(event) => onChange({ type: event.currentTarget.value as DistributionType })}
        value={form.type}
      />
      {fields.map(({ name, label, help }) => (
        <Line
          error={errorOf(name)}
          field={name}
          help={help}
          key={name}
          label={label}
          onType={(text) => onChange({ [name]: text })}
          value={form[name]}
        />
      ))}
      {form.type === 'binary' && (
        <Binaries error={errorOf('binaries')} form={form} onChange={(binaries) => onChange({ binaries })} />
      )}
      <Line
        error={errorOf('needs')}
        field="needs"
        help={
          'Empty: nothing. Else JSON, such as {"args": ["--stdio"], "env": {"API_KEY": {"secret": true, "required": true, "description": "the key of your account"}}}: its users give what env names.'
        }
        label="What it needs to run"
        onType={(needs) => onChange({ needs })}
        rows={4}
        value={form.needs}
      />
      <Choice
        className={styles.radios}
        label="Protocol of its process"
        onChoose={(protocol) => onChange({ protocol })}
        rows={protocols}
        value={form.protocol}
      />
      {form.protocol === 'mcp' && (
        <Checkbox
          checked={form.sampling}
          label="The server may ask the host for completions, charged to the caller"
          onChange={(event) => onChange({ sampling: event.currentTarget.checked })}
        />
      )}
    </section>
  )
}
