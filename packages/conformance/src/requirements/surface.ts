import { built } from './row.ts'

/** Routes, the shell, and the options of a host. */
export const surface = [
  ...built('0045-the-route-table', {
    'route.table': 'The host answers the routes of the route table, and no other.',
    'route.table.answers': 'An answer has the fields that its row of the route table names.',
  }),
  ...built('0019-development-sign-in', {
    'route.whoami': 'GET /auth/whoami answers 200 with who is signed in, null where nobody is.',
  }),
  ...built('docs/reference/openapi.json', {
    'route.dev_login': 'The development sign-in sets a cookie, svc_signin_8787 at port 8787.',
  }),
  ...built('0019-development-sign-in', {
    'route.authenticate': 'A deployment can bring its own sign-in.',
  }),
  ...built('docs/reference/routes.md', {
    'route.apps.create': 'Registering an app answers its app_id.',
    'route.draft.push': 'The owner pushes the draft 0.0.0-draft as an archive or as JSON.',
    'route.release': 'A release freezes the draft under a version.',
    'route.installs': 'Installs are made, listed and removed by their user.',
  }),
  ...built('docs/guides/publishing.md', {
    'route.installs.draft': 'Only the owner installs a draft.',
  }),
  ...built('docs/reference/routes.md', {
    'route.installs.one': 'A user has one install of an app; a later one replaces it.',
    'route.windows.open': 'Opening a window answers uuid, token, life, entry, view, geometry and title.',
    'route.windows.list': 'Open windows are listed, so that a page can restore them.',
    'route.windows.token': 'A window token is renewed by the cookie.',
    'route.windows.close': 'The page closes a window by DELETE.',
  }),
  ...built('0108-tickets-of-documents', {
    'route.bundles': 'Bundle files are public under their digest and immutable.',
  }),
  ...built('0066-reports-of-browsers', {
    'route.reports': 'A host takes reports of browsers as JSON of either kind, and answers nothing.',
  }),
  ...built('docs/reference/routes.md', {
    'route.health': 'healthz, readyz and metrics answer.',
    'route.errors': 'Errors of other routes are {error} with a code and the status of its row.',
    'route.wrong_method': 'A method that a path does not have is 405 not_found, with Allow.',
    'route.no_sign_in': 'A cookie route without a sign-in is 401 invalid_token.',
  }),
  ...built('SECURITY.md', {
    'route.foreign': 'What is not of the caller is 404 not_found.',
  }),
  ...built('0003-envelope-and-id', {
    'route.rpc.failure_shape': 'A failure before the envelope is read is answered under the id "".',
    'rpc.status': 'A failure is answered with the HTTP status of its code.',
  }),
  ...built('docs/reference/manifest.md', {
    'manifest.schema': 'The schema of a manifest is 1, 2 or 3.',
    'manifest.plug.forms': 'A plug is a tool_id, or an object with a tool_id or a handle.',
    'manifest.view.bounds': 'A view may bound its size; a minimum above its maximum is refused.',
  }),
  ...built('0022-apps-of-the-operator', {
    'host.config.apps': 'Apps of the configuration are there for each user, with their grants.',
  }),
  ...built('0005-tool-ids-and-payloads', {
    'host.config.plugins': 'Plugins of the configuration get the id tool-local-{slug}-{hash}.',
  }),
  ...built('0049-a-host-behind-a-path', {
    'host.config.base_path':
      'A host behind a path prefix has every route under it and tells no URL or cookie path outside of it.',
  }),
  ...built('docs/guides/run-a-host.md', {
    'host.config.facts':
      'A host tells its log at the start what it serves, keeps and lacks, and where it listens.',
    'host.config.unknown':
      'createHost refuses an option that it does not know, at any depth, and names the nearest.',
    'host.config.limits':
      'createHost refuses limits that contradict each other, and names both with their values.',
  }),
  ...built('0152-options-are-judged-by-value', {
    'host.config.values':
      'Every option is judged by its value at the start: the error names option, value and what is allowed, and no secret.',
    'cli.words': 'A command refuses a word, an option or a value that it would drop.',
    'cli.stopped': 'A signal at any moment of a start ends in an orderly close.',
    'cli.errors': 'What a user or a machine caused is never reported as an error inside svc.',
  }),
  ...built('0060-bytes-kept-and-served', {
    'route.page.etag': 'A file of the page has an ETag, and is not sent again to who has it.',
  }),
  ...built('docs/guides/run-a-host.md', {
    'host.twins': 'What routes do with apps, installs and windows can be done without HTTP.',
  }),
  ...built('packages/host/README.md', {
    'host.close': 'Closing a host ends its streams, timers and processes.',
  }),
  ...built('0023-the-call-socket', {
    'host.upgrade': 'A server that embeds a host can hand it upgrade requests.',
    'host.upgrade.others': 'What a host does not upgrade is left to others that listen on the same server.',
  }),
  ...built('AGENTS.md', {
    'host.clock': 'Clock and ids of a host come from outside.',
  }),
  ...built('0019-development-sign-in', {
    'shell.first_visit': 'A first visit of the shell has no failed request in its console.',
  }),
  ...built('0057-a-site-for-each-app', {
    'shell.own_sites':
      'In development each app has a site of its own where the browser looks up *.localhost by itself, else the host has them all.',
  }),
  ...built('packages/shell/README.md', {
    'shell.reload': 'After a reload of the shell a window is where it was, in its size, above the task bar.',
    'shell.reload.focus': 'A load of the shell gives the keyboard to nothing.',
    'shell.small':
      'On a small screen the shell shows one window at a time, with a list of apps and one of windows.',
    'shell.small.targets': 'On a small screen each control is at least 44 by 44 pixels and none is cut.',
    'shell.keys': 'From the first Tab a few keys lead to a call of an app.',
  }),
  ...built('README.md', {
    'shell.builds': 'The shell shows in the windows of an app why its build failed, until one is good again.',
  }),
  ...built('docs/reference/events.md', {
    'event.build_changed':
      'Why a build failed reaches the open windows of the app, and that it is good again.',
    'event.chat_artifact': 'A card reaches the page as chat_artifact with its id.',
  }),
  ...built('docs/reference/methods.md', {
    'storage.list.limit': 'storage.list takes a limit of 1 to 1 000.',
    'tools.list.one_entry_a_tool': 'tools.list has one entry for each tool of a plugin.',
  }),
  ...built('docs/reference/stdio.md', {
    'stdio.call.context': 'A call carries timeout, deadline_ms and a context with its invoke id.',
    'stdio.cancel': 'A cancel line names the call and tells why it ends.',
    'stdio.outcome.start': 'A plugin that cannot be started is plug_unavailable.',
    'stdio.outcome.no_reply': 'An answer that is no reply is plug_unavailable.',
    'stdio.outcome.error': 'A JSON-RPC error is plug_error with its code in details.',
    'stdio.outcome.exit': 'A process that ends before it answers is plug_error with exit code and signal.',
    'stdio.outcome.failure': 'success: false at the top of a result is tool_failed.',
    'stdio.outcome.output': 'What stands under output is the payload, whatever it looks like.',
    'stdio.outcome.frame': 'A line over 16 MiB tells frame_bytes and max_frame_bytes.',
    'stdio.stderr': 'What a plugin writes to stderr goes to the log.',
  }),
  ...built('docs/guides/plugins.md', {
    'stdio.python': 'A plugin without any of our code, in another language, serves calls.',
  }),
  ...built('docs/reference/routes.md', {
    'route.runners': 'Machines are enrolled, listed and revoked by their user.',
    'route.plugs.list': 'Own plugins are listed, edited and removed; others show what the caller may see.',
    'route.plugs.versions': 'Versions are published, listed, deprecated and yanked.',
    'route.installs.asks':
      'The list of installs tells what each app asks for, and what a newer release would.',
    'route.installs.plugs':
      'The list of installs names the plugins that each app declares, and those of a newer release.',
    'route.plugs.dry_run': 'With dry_run=1 a publish answers the difference and writes nothing.',
  }),
  ...built('0031-files-and-uploads', {
    'files.url.absolute': 'Every url that upload and image answer is absolute.',
    'route.uploads': 'A signed URL takes the raw bytes once, within ten minutes.',
    'route.files': 'Uploads and images are public under a name that cannot be guessed.',
  }),
  ...built('docs/reference/routes.md', {
    'route.jobs': 'The page lists and cancels jobs of the user over all apps.',
    'route.sessions.page': 'The page lists and ends sessions of the user over all apps.',
  }),
  ...built('0002-the-method-table', {
    'docs.client': 'An editor shows a text for every member that svc leads to.',
    'docs.client.short':
      'The compiler tells a mistyped method or argument in one line of at most 120 characters.',
    'docs.client.types': 'The interfaces of the client have the arguments and results of the method table.',
    'docs.exports':
      'An editor shows a text for every name that a package exports, and every option and property.',
    'docs.rows':
      'Each method that is offered has an example, and each of its arguments and results a sentence.',
  }),
  ...built('0133-finding-own-apps-again', {
    'route.apps.list': 'GET …/apps lists the own apps by slug, each with its draft and its newest release.',
    'route.apps.releases': 'GET …/releases lists the releases of an own app, the highest version first.',
    'route.apps.archive':
      'GET …/archive sends what was pushed as a version, as an archive whose push gives the same digest.',
    'route.apps.archive.cut':
      'An archive whose files are deleted while it is sent is cut off, and never ends well.',
    'route.apps.foreign': 'Apps, drafts, releases and archives are found by their owner alone.',
    'route.list.pages':
      'What is in a list all along is on exactly one of its pages, in order, while other entries come and go.',
    'route.list.search':
      'A search finds what has each of its words in what the list shows, whatever their case and accents.',
    'route.list.bounded': 'One page of a list reads records a bounded number of times.',
    'cli.app.list': 'svc app list lists all own apps, searched, and the versions of one.',
    'cli.app.pull':
      'svc app pull brings a draft or a release into a folder from which svc app push works again, with the same digest.',
    'cli.pull.safe': 'Nothing is written of what a host sends against the rules of archives.',
    'cli.pull.whole': 'A pull writes a folder that is new or empty, all of it or nothing.',
    'shell.search':
      'A field with a name searches the lists of plugins and apps in Manage: the host is asked, also for what is on no page that was read.',
    'cli.plug.mine': 'svc plug list --mine lists the own plugins alone, and is searched.',
  }),
] as const
