import { defineCommand } from 'citty'
import { interruptible } from '../host/running.ts'
import { linkedNote, linkPackages } from '../project/link-packages.ts'
import { commandsOf, readProject } from '../project/project.ts'
import { exitCodes } from '../terminal/failure.ts'
import { print, printError } from '../terminal/print.ts'
import { typed } from '../terminal/typed.ts'
import { askApp } from '../types/ask-plugins.ts'
import { keepTypes, linesOf, renewOf, reportOf } from '../types/report.ts'
import { openTypesFile, typesNameOf } from '../types/types-file.ts'

/** `svc types`: the tools that an app may call, as types for its calls. */
export const types = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    out: {
      type: 'string',
      description: 'The file, from the folder of the app; left out, svc-env.d.ts beside the sources.',
    },
    check: {
      type: 'boolean',
      default: false,
      description: 'Writes nothing, and ends with 1 if the file is not what the plugins say now.',
    },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args, rawArgs }) {
    const project = readProject(args.dir ?? '.')
    const file = await openTypesFile(project.dir, typesNameOf(project, args.out))
    const lent = linkedNote(args.dir ?? '.', linkPackages(project.dir, commandsOf(project)))
    if (lent !== null) printError(`svc: ${lent}`)
    const made = await interruptible((signal) => askApp(project, signal))
    const kept = await keepTypes(file, made.text, args.check)
    for (const slug of made.unused)
      printError(`svc: ${slug} is in svc.plugins and not in the manifest, so the app cannot call it`)
    for (const name of made.open)
      printError(`svc: ${name} is not in svc.plugins, so calls of it are not checked`)
    const report = reportOf(kept, made)
    if (args.json) print(JSON.stringify(report))
    else for (const line of linesOf(report, project.name, renewOf('svc types', rawArgs))) print(typed(line))
    if (!report.ok) process.exitCode = exitCodes.failed
  },
})
