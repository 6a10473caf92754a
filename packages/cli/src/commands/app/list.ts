import { defineCommand } from 'citty'
import { findApp, type OwnApp, ownApps, type Release, releasesOf } from '../../app/own-apps.ts'
import { filesText } from '../../app/push-app.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { failure } from '../../terminal/failure.ts'
import { print } from '../../terminal/print.ts'
import { nothingFound, searchArg } from '../../terminal/search.ts'
import { table } from '../../terminal/table.ts'
import { typed } from '../../terminal/typed.ts'

/** `svc app list`: the apps that the user registered, or the versions of one of them. */
export const list = defineCommand({
  args: {
    app: { type: 'positional', required: false, description: 'An app, by its slug or its app_id.' },
    ...hostArgs,
    search: searchArg,
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    if (args.app !== undefined && args.search !== undefined)
      throw failure(
        'usage',
        '--search is for the list of apps, and one was named',
        'Leave one of the two out.',
      )
    const host = await connect(args)
    if (args.app !== undefined) {
      const app = await findApp(host, args.app)
      const releases = await releasesOf(host, app)
      return print(args.json ? JSON.stringify({ ok: true, app, releases }) : versionsText(app, releases))
    }
    const apps = await ownApps(host, args.search)
    if (args.json) return print(JSON.stringify({ ok: true, apps }))
    if (apps.length > 0) return print(appsText(apps))
    print(
      args.search === undefined
        ? typed('You have no apps on this host yet: svc app push registers one.')
        : nothingFound('app of yours', args.search),
    )
  },
})

const appsText = (apps: readonly OwnApp[]): string =>
  table(
    ['slug', 'name', 'draft', 'release', 'app_id'],
    apps.map(({ slug, name, draft, latest_release, app_id }) => [
      slug,
      name,
      draft ? `${minuteOf(draft.pushed_at)}, ${filesText(draft)}` : 'none',
      latest_release ?? 'none',
      app_id,
    ]),
  )

function versionsText({ app_id, slug, draft }: OwnApp, releases: readonly Release[]): string {
  const made = [
    ...(draft ? [{ ...draft, at: draft.pushed_at }] : []),
    ...releases.map((release) => ({ ...release, at: release.released_at })),
  ]
  if (made.length === 0) return `${slug} is ${app_id}; nothing was pushed of it yet.`
  const rows = made.map((one) => [one.version, one.name, minuteOf(one.at), filesText(one)])
  return [`${slug} is ${app_id}`, table(['version', 'name', 'made', 'bundle'], rows)].join('\n')
}

/** `2026-01-02T03:04:05.678Z` as `2026-01-02 03:04 UTC`. */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
