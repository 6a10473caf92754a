import { Radio } from '@mantine/core'

/** One of several, each with what it means where that needs words. */
export function Choice<Value extends string>({
  label,
  rows,
  value,
  className,
  onChoose,
}: {
  label: string
  rows: Readonly<Record<Value, { readonly label: string; readonly sentence?: string }>>
  value: Value
  className: string | undefined
  onChoose: (value: Value) => void
}) {
  const choices = Object.entries(rows) as [Value, (typeof rows)[Value]][]
  return (
    <Radio.Group label={label} onChange={(chosen) => onChoose(chosen as Value)} value={value}>
      <div className={className}>
        {choices.map(([name, { label, sentence }]) => (
          <Radio description={sentence} key={name} label={label} value={name} />
        ))}
      </div>
    </Radio.Group>
  )
}
