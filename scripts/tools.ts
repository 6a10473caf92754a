import { accessSync, constants, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from './spawn.mjs'

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

/** What tests need of the machine beside Node. */
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

/**
 * Finds a tool, or installs it where that is possible (root on Debian), and names it to everything started
 * later by its variable, where it has one. Gives one sentence on how to get it where it cannot be had.
 */
export async function ensureTool(tool: Tool): Promise<string | null> {
  const row: ToolRow = tools[tool]
  const named = row.variable && process.env[row.variable]
  if (named) return isRunnable(named) ? null : `${row.variable} names ${named}, which cannot be run`
  const found = find(row) ?? (await install(row))
  if (!found) return `${tool} is missing: ${row.hint}`
  if (row.variable) process.env[row.variable] = found
  return null
}

function find({ names, paths }: ToolRow): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...candidates, ...paths.flatMap((found) => globSync(found))].find(isRunnable)
}

async function install(row: ToolRow): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log(`svc: installing ${row.debian.join(' and ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'Dpkg::Use-Pty=0']
  const updated = await run('apt-get', [...options, 'update'], { env, minutes: 5 })
  if (updated.code !== 0) return undefined
  const remove = withoutServices()
  try {
    await run('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...row.debian], {
      env,
      minutes: 10,
    })
  } finally {
    remove()
  }
  return find(row)
}

/** While these stand, Debian starts no service of what it installs, and makes no database cluster. */
const noServices = {
  '/usr/sbin/policy-rc.d': '#!/bin/sh\nexit 101\n',
  '/etc/postgresql-common/createcluster.d/svc.conf': 'create_main_cluster = false\n',
}

/** Writes them where there is none; what it returns removes them. */
function withoutServices(): () => void {
  const written = Object.entries(noServices).filter(([file]) => !existsSync(file))
  for (const [file, text] of written) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o755 })
  }
  return () => {
    for (const [file] of written) rmSync(file)
  }
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
