import { accessSync, constants, globSync } from 'node:fs'
import path from 'node:path'

interface ToolRow {
  /** The environment variable that can name one. */
  readonly variable?: string
  /** Names looked for on PATH, then full paths, of which each may be a glob. */
  readonly names: readonly string[]
  readonly paths: readonly string[]
  /** The Debian packages. */
  readonly debian: readonly string[]
  readonly hint: string
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** What `npm test -- all` and `-- release` need of the machine beside Node. */
const tools = {
  chromium: {
    variable: 'SVC_CHROMIUM',
    // The first opens a page in a third of the time; some tests need a whole browser.
    names: ['chromium-headless-shell', ...browsers],
    paths: macBrowsers,
    debian: ['chromium-headless-shell'],
    hint: 'install Chromium or Chrome, or set SVC_CHROMIUM to the path of one',
  },
  browser: {
    variable: 'SVC_BROWSER',
    names: browsers,
    paths: macBrowsers,
    debian: ['chromium'],
    hint: 'install Chromium or Chrome, or set SVC_BROWSER to the path of one',
  },
  python: {
    names: ['python3'],
    paths: [],
    debian: ['python3'],
    hint: 'install Python 3',
  },
  perl: {
    names: ['perl'],
    paths: [],
    debian: ['perl'],
    hint: 'install Perl, in which attacks on isolation are written',
  },
  bubblewrap: {
    names: ['bwrap'],
    paths: [],
    debian: ['bubblewrap'],
    hint: 'install bubblewrap; on macOS, run the tests in a Linux machine',
  },
  cc: {
    names: ['cc'],
    paths: [],
    debian: ['gcc', 'libc6-dev'],
    hint: 'install a C compiler with the headers of the C library, such as gcc and libc6-dev',
  },
  nginx: {
    names: ['nginx'],
    paths: ['/usr/sbin/nginx'],
    debian: ['nginx-light'],
    hint: 'install nginx',
  },
  postgres: {
    names: ['postgres'],
    paths: ['/usr/lib/postgresql/*/bin/postgres'],
    debian: ['postgresql'],
    hint: 'install PostgreSQL 15 or newer',
  },
  redis: {
    names: ['redis-server'],
    paths: [],
    debian: ['redis-server'],
    hint: 'install Redis 7 or newer',
  },
  pgbouncer: {
    names: ['pgbouncer'],
    paths: ['/usr/sbin/pgbouncer'],
    debian: ['pgbouncer'],
    hint: 'install PgBouncer',
  },
  firefox: {
    names: ['firefox-esr', 'firefox'],
    paths: [],
    debian: ['firefox-esr'],
    hint: 'install Firefox ESR',
  },
  webkit: {
    names: ['WebKitWebDriver'],
    paths: [],
    debian: ['webkit2gtk-driver'],
    hint: 'install the WebDriver of WebKitGTK 4.1, such as webkit2gtk-driver',
  },
  xvfb: {
    names: ['xvfb-run'],
    paths: [],
    debian: ['xvfb', 'xauth'],
    hint: 'install Xvfb, which WebKitGTK is shown on',
  },
  xauth: {
    names: ['xauth'],
    paths: [],
    debian: ['xauth'],
    hint: 'install xauth, which xvfb-run needs',
  },
} as const satisfies Record<string, ToolRow>

/** A tool of the table. */
export type Tool = keyof typeof tools

/** Every tool. */
export const allTools = Object.keys(tools) as Tool[]

/**
 * Finds a tool and names it to everything started later by its variable, where it has one.
 *
 * @returns what is wrong and how to put it right, or null
 */
export function findTool(tool: Tool): string | null {
  const row: ToolRow = tools[tool]
  const named = row.variable && process.env[row.variable]
  if (named && !isRunnable(named)) return `${tool}: ${row.variable} names ${named}, which cannot be run`
  const found = named || find(row)
  if (!found) return `${tool}: not installed; npm run tools`
  if (row.variable) process.env[row.variable] = found
  return null
}

/** Returns the Debian packages of tools, each once. */
export const debianOf = (missing: readonly Tool[]): string[] => [
  ...new Set(missing.flatMap((tool) => tools[tool].debian)),
]

/** Returns one line for each tool on how to get it. */
export const hintsOf = (missing: readonly Tool[]): string =>
  missing.map((tool) => `  ${tool}: ${tools[tool].hint}`).join('\n')

function find({ names, paths }: ToolRow): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...candidates, ...paths.flatMap((found) => globSync(found))].find(isRunnable)
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
