import {
  ActionIcon,
  type MantineColorScheme,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useEffect } from 'react'
import { icons } from '../components/icons.tsx'
import { useDesk } from '../components/use-desk.ts'

/** Each look, what it is called, and which one comes after it. */
const looks: Record<MantineColorScheme, { readonly name: string; readonly next: MantineColorScheme }> = {
  auto: { name: 'same as the system', next: 'light' },
  light: { name: 'light', next: 'dark' },
  dark: { name: 'dark', next: 'auto' },
}

/** Tells the bundles in the windows whether the page is light or dark. */
export function ThemeNotifier() {
  const desk = useDesk()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => desk.setTheme(scheme), [desk, scheme])
  return null
}

/** The look of the page in words, and how to go round from the system's look to light, dark, and back. */
export function useThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const desk = useDesk()
  const { name, next } = looks[colorScheme]
  return {
    colorScheme,
    label: `Theme: ${name}. Switch to ${looks[next].name}`,
    next() {
      setColorScheme(next)
      desk.say(`Theme: ${looks[next].name}`)
    },
  }
}

/** Changes the look of the page. */
export function ThemeSwitch() {
  const { colorScheme, label, next } = useThemeSwitch()
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={next} size="lg">
        {icons[colorScheme]}
      </ActionIcon>
    </Tooltip>
  )
}
