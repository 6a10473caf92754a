import { ActionIcon, TextInput } from '@mantine/core'
import { useId } from 'react'
import { icons } from '../components/icons.tsx'
import { useCopy } from '../components/use-copy.ts'
import { useArrival } from './keyboard.tsx'
import styles from './manage-page.module.css'

interface CopiedValueProps {
  readonly label: string
  readonly value: string
  readonly help?: string
}

/** A value that is read and copied, never typed. */
export function CopiedValue({ id, label, value, help }: CopiedValueProps & { readonly id?: string }) {
  const copy = useCopy()
  const instead = 'This page may not use the clipboard; select the text and copy it'
  return (
    <TextInput
      {...(id !== undefined && { id })}
      classNames={{ input: `${styles.mono} ${styles.copied}` }}
      description={help}
      label={label}
      onFocus={(event) => event.currentTarget.select()}
      readOnly
      rightSection={
        <ActionIcon
          aria-label={`Copy ${label}`}
          onClick={() => void copy(value, `${label} was copied`, instead)}
        >
          {icons.copy}
        </ActionIcon>
      }
      value={value}
    />
  )
}

/** One that came in the place of the button which asked for it: it takes the keyboard. */
export function ReceivedValue(copied: CopiedValueProps) {
  const id = useId()
  useArrival(id)
  return <CopiedValue {...copied} id={id} />
}
