import {
  ActionIcon,
  type MantineColorScheme,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useEffect } from 'react'
import { icons } from './icons.tsx'
import { useDesk } from './use-desk.ts'

/** Each look, what it is called, and which one comes after it. */
const looks: Record<MantineColorScheme, { readonly name: string; readonly next: MantineColorScheme }> = {
  auto: { name: 'as the system', next: 'light' },
  light: { name: 'light', next: 'dark' },
  dark: { name: 'dark', next: 'auto' },
}

/** Tells the bundles in the windows whether the page is light or dark. */
export function TellTheme() {
  const desk = useDesk()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => desk.setTheme(scheme), [desk, scheme])
  return null
}

/** Goes round from the system's look to light, dark, and back. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const desk = useDesk()
  const { name, next } = looks[colorScheme]
  const label = `Theme: ${name}. Switch to ${looks[next].name}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        color="gray"
        onClick={() => {
          setColorScheme(next)
          desk.say(`Theme: ${looks[next].name}`)
        }}
        size="lg"
        variant="subtle"
      >
        {icons[colorScheme]}
      </ActionIcon>
    </Tooltip>
  )
}
