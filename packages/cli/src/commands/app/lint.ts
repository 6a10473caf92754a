import { defineCommand } from 'citty'
import { type Finding, lintBundle } from '../../app/lint.ts'
import { loadApp } from '../../app/load-app.ts'
import { exitCodes } from '../../terminal/failure.ts'

/** `svc app lint`: what the host would refuse, and what an app asks for in vain. */
export const lint = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const { project, bundle } = await loadApp(args.dir ?? '.', (line) => console.error(`svc: ${line}`))
    const findings = lintBundle(bundle)
    const ok = findings.every(({ level }) => level !== 'error')
    if (args.json) console.log(JSON.stringify({ ok, findings }))
    else for (const line of linesOf(project.name, findings)) console.log(line)
    if (!ok) process.exitCode = exitCodes.failed
  },
})

function linesOf(name: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [`${name} can be pushed.`]
  const errors = findings.filter(({ level }) => level === 'error').length
  return [
    ...findings.flatMap(({ level, where, problem, hint }) => [
      `  ${level === 'error' ? '✗' : '!'} ${where}: ${problem}`,
      ...(hint === undefined ? [] : [`      → ${hint}`]),
    ]),
    errors === 0
      ? `${name} can be pushed; the warnings above may be intended.`
      : `${name} cannot be pushed yet: ${errors} wrong.`,
  ]
}
