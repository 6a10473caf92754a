/** A Markdown table; a bar inside a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Text as code. */
export const code = (text: string) => `\`${text}\``

/** 65536 → `65 536`. */
export const grouped = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ')
