import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import module from 'node:module'
import { dirname, join, relative, sep } from 'node:path'

/** Where modules of packages are, as a page asks for them: `/modules/bridge/dist/index.js`. */
const MODULES = '/modules/'

/** An import, static or not. */
const IMPORT = /(\bfrom\s*|\bimport\s*(?:\(\s*)?)(["'])([^"']+)\2/g

/** What an entry of `exports` says, before and after a build. */
type Entry = string | { readonly default?: string; readonly import?: { readonly default: string } }

/** The scope of our packages, such as `@svc/`: whoever publishes them may choose another. */
function ownScope(): string {
  const { name } = JSON.parse(readFileSync(String(module.findPackageJSON(import.meta.url)), 'utf8')) as {
    name: string
  }
  return name.slice(0, name.indexOf('/') + 1)
}

/** Makes what gives a page the modules of our packages, without a bundler: their imports of each other become paths. */
export function openPageModules() {
  const scope = ownScope()
  const folders = new Map<string, string>()

  /** The folder of a package. */
  function folderOf(name: string): string {
    const known = folders.get(name)
    if (known !== undefined) return known
    const manifest = module.findPackageJSON(scope + name, import.meta.url)
    if (manifest === undefined) throw new Error(`the package ${scope}${name} is not installed`)
    const folder = dirname(manifest)
    folders.set(name, folder)
    return folder
  }

  /** The path at which a page finds what is imported by this name, such as `@svc/contract/wire`. */
  function pathOf(specifier: string): string {
    const [, name = '', ...rest] = specifier.split('/')
    const folder = folderOf(name)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, Entry>>
    }
    const entry = exports[['.', ...rest].join('/')]
    const file = typeof entry === 'string' ? entry : (entry?.import?.default ?? entry?.default)
    if (file === undefined) throw new Error(`${specifier} is no export of its package`)
    return `${MODULES}${name}/${relative('.', file).split(sep).join('/')}`
  }

  return {
    pathOf,
    /** The text of a module by its path; `null`: it is not the path of one. */
    async read(path: string): Promise<string | null> {
      if (!path.startsWith(MODULES) || path.includes('..')) return null
      const [name = '', ...rest] = path.slice(MODULES.length).split('/')
      const file = join(folderOf(name), ...rest)
      const text = await readFile(file, 'utf8')
      const script = file.endsWith('.ts') ? module.stripTypeScriptTypes(text) : text
      return script.replace(IMPORT, (whole, before, quote, specifier) =>
        specifier.startsWith(scope) ? `${before}${quote}${pathOf(specifier)}${quote}` : whole,
      )
    },
  }
}
