import path from 'node:path'
import { defineCommand } from 'citty'
import { APP_FILE, readAppFile } from '../../app/app-file.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { failure } from '../../terminal/failure.ts'
import { print } from '../../terminal/print.ts'
import { versionRule } from '../../terminal/text-rules.ts'

/** `svc app release`: freezes the draft under a version. */
export const release = defineCommand({
  args: {
    version: {
      type: 'positional',
      required: true,
      rule: versionRule,
      description: 'The version, such as 1.2.0.',
    },
    dir: { type: 'positional', required: false, description: 'The folder of the app; left out, this one.' },
    ...hostArgs,
    force: {
      type: 'boolean',
      default: false,
      description: 'Releases also what the host has no plugin for that the app requires.',
    },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const dir = args.dir ?? '.'
    const app = readAppFile(dir)
    if (!app)
      throw failure(
        'config',
        `there is no ${APP_FILE} in ${path.resolve(dir)}`,
        'Push the app first: svc app push',
      )
    const host = await connect(args)
    const released = await host.ask('POST /api/v1/svc-apps/apps/{app_id}/releases', {
      params: { app_id: app.app_id },
      body: { version: args.version, ...(args.force && { force: true }) },
    })
    print(
      args.json
        ? JSON.stringify({ ok: true, ...app, ...released })
        : [`released ${app.slug} ${released.version}`, ...pinLines(released)].join('\n'),
    )
  },
})

/** What the host answers: `pins` are the versions of plugins that the release keeps, by `tool_id`. */
interface ReleaseAnswer {
  readonly version: string
  readonly pins: Readonly<Record<string, string>>
}

const pinLines = ({ pins }: ReleaseAnswer) =>
  Object.entries(pins).map(([toolId, version]) => `  keeps ${toolId} at ${version}`)
