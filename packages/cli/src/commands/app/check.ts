import path from 'node:path'
import { explain, manifestSchema } from '@svc/contract'
import { defineCommand } from 'citty'
import { loadApp } from '../../app/load-app.ts'
import { readStory } from '../../app-check/app-story.ts'
import { checkApp, checksOf } from '../../app-check/check-app.ts'
import { reportOf, rowOf, sumOf } from '../../checks/report.ts'
import { isolationArg, readIsolation } from '../../host/isolation.ts'
import { interruptible } from '../../host/running.ts'
import { exitCodes, failure } from '../../terminal/failure.ts'
import { print, printError } from '../../terminal/print.ts'

/** `svc app check`: an app in a browser, through the stories that every app should survive. */
export const check = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    only: { type: 'string', description: 'Tries these requirements only: app.narrow,app.dark' },
    headed: { type: 'boolean', default: false, description: 'Shows the browser.' },
    isolation: isolationArg,
    pictures: { type: 'string', description: 'A folder for pictures of what is wrong.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON instead of the table.' },
  },
  async run({ args }) {
    const say = (line: string) => printError(`svc: ${line}`)
    const { json } = args
    const only = args.only?.split(',').map((id) => id.trim())
    checksOf(only)
    const isolation = readIsolation(args.isolation)
    const { project, bundle } = await loadApp(args.dir ?? '.', say)
    const manifest = manifestSchema.safeParse('value' in bundle.manifest ? bundle.manifest.value : null)
    if (!manifest.success)
      throw failure(
        'config',
        `the manifest of ${project.name} cannot be used: ${'problem' in bundle.manifest ? bundle.manifest.problem : explain(manifest.error, bundle.manifest.value)}`,
        'svc app lint says what else is wrong with it.',
      )
    const story = await readStory(project.dir)
    if (!json) print(`\n  ${project.name}\n`)
    const findings = await interruptible((signal) =>
      checkApp({
        project,
        manifest: manifest.data,
        story,
        only,
        signal,
        isolation,
        headed: args.headed,
        pictures: args.pictures === undefined ? undefined : path.resolve(args.pictures),
        onNote: say,
        onFinding: (finding) => !json && print(rowOf(finding)),
      }),
    )
    const report = reportOf(findings)
    print(json ? JSON.stringify(report) : `\n  ${sumOf(findings)}\n`)
    if (!report.ok) process.exitCode = exitCodes.failed
  },
})
