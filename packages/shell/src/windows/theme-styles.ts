import type { ThemeStyles, themeVariables } from '@svc/contract/theme'

/**
 * What this page gives its apps, and the variable of its own (`styles/page.css`) that has the value. It leaves the accent
 * to them, so that one knows them by their tint.
 */
const given = {
  '--color-background-primary': '--surface',
  '--color-background-secondary': '--surface-soft',
  '--color-background-tertiary': '--surface-hover',
  '--color-background-danger': '--danger-soft',
  '--color-background-warning': '--warn-soft',
  '--color-background-success': '--good-soft',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-soft',
  '--color-text-danger': '--danger',
  '--color-text-warning': '--warn',
  '--color-text-success': '--good',
  '--color-border-secondary': '--line',
  '--font-sans': '--mantine-font-family',
  '--font-mono': '--mantine-font-family-monospace',
} as const satisfies Partial<Record<keyof typeof themeVariables, `--${string}`>>

/** Reads the look of the page for its apps; what the page does not have is left out. */
export function themeStyles(root: Element = document.documentElement): ThemeStyles {
  const style = getComputedStyle(root)
  const variables = Object.entries(given).map(([name, own]) => [name, style.getPropertyValue(own).trim()])
  return { variables: Object.fromEntries(variables.filter(([, value]) => value !== '')) }
}
