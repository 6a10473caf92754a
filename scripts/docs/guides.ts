/** A page in the menu of the site: its title there and its path without the ending. */
export type Entry = readonly [title: string, page: string]

/** Those whom a part of the site is for, and what they read, in this order; the first page is their first minute. */
export interface Reader {
  readonly name: string
  readonly who: string
  readonly pages: readonly [Entry, ...Entry[]]
}

/** The five users of svc. */
export const readers: readonly Reader[] = [
  {
    name: 'App',
    who: 'You write an app: a folder of HTML and JavaScript that calls tools, models and storage.',
    pages: [
      ['Write an app', 'guides/app'],
      ['Typed tools', 'guides/typed-tools'],
      ['Jobs', 'guides/jobs'],
      ['Models', 'guides/models'],
      ['Agent sessions', 'guides/sessions'],
      ['Streams', 'guides/streams'],
      ['Files', 'guides/files'],
      ['Web, other apps, credentials', 'guides/other-apps-and-web'],
      ['React, Vue, Svelte', 'guides/frameworks'],
      ['The look of the page', 'guides/theme'],
      ['Test an app', 'guides/testing'],
      ['Check an app in a browser', 'guides/checking-apps'],
      ['Browsers', 'guides/browsers'],
    ],
  },
  {
    name: 'Page',
    who: 'You have a web page and want windows of apps in it.',
    pages: [
      ['Put apps on your page', 'guides/page'],
      ['Embed from another site', 'guides/embed-from-another-site'],
      ['Behind a proxy', 'guides/behind-a-proxy'],
      ['@svc/bridge', 'api/bridge'],
      ['The element svc-window', 'api/bridge/element'],
    ],
  },
  {
    name: 'Host',
    who: 'You have a server and want it to serve apps to your users.',
    pages: [
      ['Run a host', 'guides/run-a-host'],
      ['@svc/host', 'api/host'],
      ['@svc/host/page-token', 'api/host/page-token'],
      ['HTTP routes', 'reference/routes'],
    ],
  },
  {
    name: 'Plugin',
    who: 'You write a tool: a program in any language that apps and agents call.',
    pages: [
      ['Write a plugin', 'guides/plugins'],
      ['Plugins that ask', 'guides/plugins-sessions'],
      ['MCP servers', 'guides/mcp-servers'],
      ['Publish apps and plugins', 'guides/publishing'],
      ['Runners', 'guides/runners'],
    ],
  },
  {
    name: 'Operator',
    who: 'You keep a host running: data, backups, upgrades and limits.',
    pages: [
      ['Operate a host', 'guides/operating'],
      ['Linux, macOS and Windows', 'guides/platforms'],
      ['The format of a backup', 'guides/backup-format'],
      ['Scaling', 'scaling'],
      ['Limits', 'reference/limits'],
      ['Performance', 'performance'],
      ['Security', 'security'],
    ],
  },
]

/** The reference, which everybody reads. */
export const reference: readonly Entry[] = [
  ['Methods', 'reference/methods'],
  ['Errors', 'reference/errors'],
  ['Manifest', 'reference/manifest'],
  ['Limits', 'reference/limits'],
  ['Events', 'reference/events'],
  ['States', 'reference/states'],
  ['Theme', 'reference/theme'],
  ['HTTP routes', 'reference/routes'],
  ['The stdio protocol', 'reference/stdio'],
  ['Platform tools', 'reference/platform-tools'],
  ['Prompt tokens', 'reference/prompt-tokens'],
  ['Faults of tests', 'reference/faults'],
  ['Between page and host', 'reference/bends'],
  ['Bundlers and frameworks', 'reference/consumers'],
  ['The command line', 'packages/cli'],
]

/** What is about svc as a whole. */
export const about: readonly Entry[] = [
  ['Overview', 'overview'],
  ['Words', 'words'],
  ['Decisions', 'decisions/index'],
  ['Map and commands', 'map'],
  ['Contributing', 'contributing'],
]
