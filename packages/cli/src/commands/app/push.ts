import { defineCommand } from 'citty'
import { findingLines } from '../../app/finding-lines.ts'
import { loadApp } from '../../app/load-app.ts'
import { filesText, pushApp } from '../../app/push-app.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { print, printError } from '../../terminal/print.ts'

/** `svc app push`: builds an app and makes it the draft that its owner sees. */
export const push = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    ...hostArgs,
    slug: { type: 'string', description: 'The short name at the first push; left out, that of the folder.' },
    maps: { type: 'boolean', default: false, description: 'Keeps source maps, which show your sources.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const say = (line: string) => printError(`svc: ${line}`)
    const host = await connect(args)
    const { project, bundle } = await loadApp(args.dir ?? '.', say, { maps: args.maps })
    const pushed = await pushApp(host, { project, bundle, slug: args.slug, say })
    if (args.json) return print(JSON.stringify({ ok: true, ...pushed }))
    if (pushed.registered) print(`registered ${pushed.slug} as ${pushed.app_id}; the id is in svc.app.json`)
    print(`pushed ${pushed.slug} ${pushed.version}: ${filesText(pushed)}`)
    for (const line of findingLines(pushed.lacks)) printError(line)
  },
})
