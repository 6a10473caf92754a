import { defineCommand } from 'citty'
import { loadApp } from '../../app/load-app.ts'
import { filesText, pushApp } from '../../app/push-app.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'

/** `svc app push`: builds an app and makes it the draft that its owner sees. */
export const push = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    ...hostArgs,
    slug: { type: 'string', description: 'The short name at the first push; left out, that of the folder.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const say = (line: string) => console.error(`svc: ${line}`)
    const host = await connect(args)
    const { project, bundle } = await loadApp(args.dir ?? '.', say)
    const pushed = await pushApp(host, { project, bundle, slug: args.slug, say })
    if (args.json) return console.log(JSON.stringify({ ok: true, ...pushed }))
    if (pushed.registered)
      console.log(`registered ${pushed.slug} as ${pushed.app_id}; the id is in svc.app.json`)
    console.log(`pushed ${pushed.slug} ${pushed.version}: ${filesText(pushed)}`)
  },
})
