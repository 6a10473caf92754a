import { themeVariables } from '../../packages/contract/src/wire/theme.ts'
import { code, table } from './table.ts'

/** The CSS variables of themes. */
export function themePage(): string {
  const rows = Object.entries(themeVariables).map(([name, use]) => [code(name), use])
  return `# Theme

The CSS variables that a page can give its apps ([how](../guides/theme.md)). \`@svc/sdk/theme.css\` has a default for each.

${table(['Variable', 'What it is for'], rows)}`
}
