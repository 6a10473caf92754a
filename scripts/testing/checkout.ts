import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const never = new Set(['node_modules', 'dist', '.git', '.svc'])

/** A copy of the repository with its packages installed, and a home beside it. */
export interface Checkout {
  readonly dir: string
  /** An empty folder beside the checkout. */
  readonly work: string
  readonly env: NodeJS.ProcessEnv
  remove(): void
}

/** Returns the environment for commands in a checkout: its tools come first, and no folder of the user is named. */
export function checkoutEnv(
  env: NodeJS.ProcessEnv,
  { dir, home }: { readonly dir: string; readonly home: string },
): NodeJS.ProcessEnv {
  const bins = ['node_modules/.bin', 'packages/mcp/node_modules/.bin'].map((name) => path.join(dir, name))
  const PATH = [...bins, env.PATH].join(path.delimiter)
  return { ...env, PATH, HOME: home, NODE_ENV: undefined, XDG_STATE_HOME: undefined }
}

/** Copies the repository as it is, uncommitted changes included; what is installed is linked, not copied. */
export function copyCheckout(): Checkout {
  const base = mkdtempSync(path.join(tmpdir(), 'svc-pages-'))
  const dir = path.join(base, 'checkout')
  cpSync(root, dir, { recursive: true, filter: (file) => !never.has(path.basename(file)) })
  // The links of a package lead to its neighbours and into the root's store, by relative paths.
  for (const modules of globSync('{packages,examples}/*/node_modules', { cwd: root }))
    cpSync(path.join(root, modules), path.join(dir, modules), { recursive: true, verbatimSymlinks: true })
  mkdirSync(path.join(dir, 'node_modules'))
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    const [from, to] = [root, dir].map((one) => path.join(one, 'node_modules', name)) as [string, string]
    if (name === '.bin' || name === '@svc') cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else symlinkSync(from, to)
  }
  const [home, work] = ['home', 'work'].map((name) => path.join(base, name)) as [string, string]
  mkdirSync(home)
  mkdirSync(work)
  const env = checkoutEnv(process.env, { dir, home })
  return { dir, work, env, remove: () => rmSync(base, { recursive: true, force: true }) }
}
