import { defineCommand } from 'citty'
import { featureHints } from '../../app/feature-hints.ts'
import { findingLines } from '../../app/finding-lines.ts'
import { hostLacks } from '../../app/host-lacks.ts'
import { type Finding, lintBundle } from '../../app/lint.ts'
import { loadApp } from '../../app/load-app.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { exitCodes } from '../../terminal/failure.ts'
import { print, printError } from '../../terminal/print.ts'

/** `svc app lint`: what a host would refuse, what an app asks for in vain, and what the host named lacks for it. */
export const lint = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    ...hostArgs,
    maps: { type: 'boolean', default: false, description: 'Keeps source maps, which show your sources.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const { project, bundle } = await loadApp(args.dir ?? '.', (line) => printError(`svc: ${line}`), args)
    const own = [...lintBundle(bundle), ...featureHints(project, bundle)]
    const lacks =
      args.host === undefined || 'problem' in bundle.manifest || own.some(({ level }) => level === 'error')
        ? []
        : await hostLacks(await connect(args), bundle.manifest.value)
    const findings = [...own, ...lacks]
    const ok = findings.every(({ level }) => level !== 'error')
    if (args.json) print(JSON.stringify({ ok, findings }))
    else for (const line of linesOf(project.name, findings)) print(line)
    if (!ok) process.exitCode = exitCodes.failed
  },
})

function linesOf(name: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [`${name} can be pushed.`]
  const errors = findings.filter(({ level }) => level === 'error').length
  return [
    ...findingLines(findings),
    errors === 0
      ? `${name} can be pushed; the warnings above may be intended.`
      : `${name} cannot be pushed yet: ${errors} wrong.`,
  ]
}
