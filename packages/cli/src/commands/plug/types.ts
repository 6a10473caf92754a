import path from 'node:path'
import { limits } from '@svc/contract'
import { parseDescription } from '@svc/runner'
import { defineCommand } from 'citty'
import { interruptible } from '../../host/running.ts'
import { linkForCommand } from '../../project/link-packages.ts'
import { askManifest } from '../../publish/ask-manifest.ts'
import { type PlugFile, readPlugFile } from '../../publish/plug-file.ts'
import { exitCodes, failure } from '../../terminal/failure.ts'
import { print } from '../../terminal/print.ts'
import { textUpTo } from '../../terminal/text-rules.ts'
import { typed } from '../../terminal/typed.ts'
import { declareTools } from '../../types/declare-tools.ts'
import { keepTypes, linesOf, renewOf, reportOf } from '../../types/report.ts'
import { stringLiteral } from '../../types/ts-text.ts'
import { headerOf, openTypesFile } from '../../types/types-file.ts'

/** `svc plug types`: the tools of one plugin, as a file that its author gives to those who write apps. */
export const types = defineCommand({
  args: {
    dir: {
      type: 'positional',
      required: false,
      description: 'The folder of a svc.plug.json, where no command is named; left out, this one.',
    },
    name: {
      type: 'string',
      rule: textUpTo(limits.TOOL_ID_MAX_CHARS),
      description:
        'How apps name the plugin; left out, the tool_id of svc.plug.json, its slug, or its own name.',
    },
    out: { type: 'string', description: 'The file, from that folder; left out, svc-tools.d.ts.' },
    check: {
      type: 'boolean',
      default: false,
      description: 'Writes nothing, and ends with 1 if the file is not what the plugin says now.',
    },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args, rawArgs }) {
    const asked = args.name
    const at = rawArgs.indexOf('--')
    const plug = at === -1 ? await readPlugFile(args.dir ?? '.') : ofCommand(rawArgs.slice(at + 1))
    const file = await openTypesFile(plug.dir, args.out ?? 'svc-tools.d.ts')
    if (plug.command) linkForCommand(plug.command, plug.dir)
    const manifest = await interruptible((signal) => askManifest(plug, signal))
    const description = parseDescription(manifest as Record<string, unknown>, limits)
    if (typeof description === 'string')
      throw failure('failed', `the plugin described itself wrongly: ${description}`)
    const name = asked ?? plug.toolId ?? textOf(plug.named.slug) ?? description.name
    const what = `the tools of ${stringLiteral(name)}, as the plugin describes them`
    const text = declareTools({
      header: headerOf('svc plug types', what, 'svc plug types'),
      plugins: [{ names: [name], description }],
    })
    const plugins = [{ slug: name, tools: description.tools.map((tool) => tool.name) }]
    const report = reportOf(await keepTypes(file, text, args.check), { plugins, open: [] })
    if (args.json) print(JSON.stringify(report))
    else for (const line of linesOf(report, name, renewOf('svc plug types', rawArgs))) print(typed(line))
    if (!report.ok) process.exitCode = exitCodes.failed
  },
})

/** What a folder says of a plugin whose command was typed. Errors: `usage`. */
function ofCommand(
  command: readonly string[],
): Pick<PlugFile, 'dir' | 'command' | 'distribution' | 'reach' | 'named' | 'toolId'> {
  if (command.length === 0)
    throw failure(
      'usage',
      'no command was named',
      'Write it after two dashes: svc plug types -- node plugin.ts',
    )
  return {
    dir: path.resolve('.'),
    command,
    distribution: undefined,
    reach: undefined,
    named: {},
    toolId: undefined,
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
