import path from 'node:path'
import { defineCommand } from 'citty'
import { pullApp } from '../../app/pull-app.ts'
import { filesText } from '../../app/push-app.ts'
import { interruptible } from '../../host/running.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { failure } from '../../terminal/failure.ts'
import { print, printError } from '../../terminal/print.ts'
import { versionRule } from '../../terminal/text-rules.ts'

/** `svc app pull`: what was pushed of an app, in a folder from which it can be pushed again. */
export const pull = defineCommand({
  args: {
    app: { type: 'positional', required: true, description: 'The app, by its slug or its app_id.' },
    ...hostArgs,
    version: { type: 'string', rule: versionRule, description: 'A release, such as 1.2.0.' },
    draft: { type: 'boolean', default: false, description: 'The draft, as where no version is named.' },
    to: { type: 'string', description: 'A new or empty folder; left out, the slug of the app.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const { app, version, draft, to } = args
    if (version !== undefined && draft)
      throw failure('usage', '--version and --draft both say what is pulled', 'Give one of the two.')
    const say = (line: string) => printError(`svc: ${line}`)
    const host = await connect(args)
    const pulled = await interruptible((signal) => pullApp(host, { app, version, to, signal, say }))
    const where = path.relative('', pulled.dir)
    print(
      args.json
        ? JSON.stringify({ ok: true, ...pulled })
        : `pulled ${pulled.slug} ${pulled.version} into ${where}: ${filesText(pulled)}`,
    )
  },
})
