/** The option that takes a registry which returns no advisories. */
export const OFFLINE_OK = '--offline-ok'

/** What came of an audit: the lines to print, and the exit code. A registry that was not asked has found nothing out. */
export function auditOutcome(
  { code, output }: { readonly code: number; readonly output: string },
  options: readonly string[],
): { readonly code: number; readonly text: string } {
  const stranger = options.find((option) => option !== OFFLINE_OK)
  if (stranger !== undefined)
    return { code: 2, text: `svc: audit takes only ${OFFLINE_OK}, got "${stranger}"` }
  const [, error] = /(ERR_PNPM_\w+)/.exec(output) ?? []
  if (error === undefined) return { code, text: output.trimEnd() }
  const text = `svc: the registry returned no advisories (${error}); nothing was audited`
  if (options.includes(OFFLINE_OK)) return { code: 0, text }
  return { code: code || 1, text: `${text}. To accept that: npm run audit -- ${OFFLINE_OK}` }
}
