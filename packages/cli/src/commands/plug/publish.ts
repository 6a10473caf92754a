import { defineCommand } from 'citty'
import { readHostUrl } from '../../host/host-url.ts'
import { interruptible } from '../../host/running.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { askManifest } from '../../publish/ask-manifest.ts'
import { withFoundPackage } from '../../publish/found-package.ts'
import { checkLocalFile } from '../../publish/local-file.ts'
import { readPlugFile } from '../../publish/plug-file.ts'
import { publishPlug } from '../../publish/publish-plug.ts'
import { publishedText } from '../../publish/published-text.ts'
import { print, printError } from '../../terminal/print.ts'

/** `svc plug publish`: the first time a plugin, later a version of it. */
export const publish = defineCommand({
  args: {
    dir: { type: 'positional', required: false, description: 'The folder; left out, this one.' },
    ...hostArgs,
    'dry-run': {
      type: 'boolean',
      default: false,
      description: 'Shows the changes, and writes nothing.',
    },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const file = await readPlugFile(args.dir ?? '.')
    const say = (line: string) => printError(`svc: ${line}`)
    const host = await connect(args)
    checkLocalFile(file, readHostUrl(args.host), say)
    const published = await interruptible(async (signal) => {
      const isSkill = file.named.type === 'skill'
      if (!isSkill) say('reads the manifest from the plugin')
      const found = await withFoundPackage(file, signal, say)
      const manifest = isSkill ? undefined : await askManifest(found, signal, say)
      return publishPlug(host, { file: found, manifest, dryRun: args['dry-run'], say })
    })
    const report = { ok: true, dry_run: args['dry-run'], ...published }
    print(args.json ? JSON.stringify(report) : publishedText(published, args['dry-run']))
  },
})
