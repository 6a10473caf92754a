import path from 'node:path'
import { type DevEnvironment, type EnvironmentModuleNode, parseAstAsync } from 'vite'
import { sourcePlace } from './source-place.ts'

/** The program of a module, as the parser of Vite gives it. */
type Program = Awaited<ReturnType<typeof parseAstAsync>>

/**
 * Finds an import of a name that its module does not export, in modules that were saved and in those that import them: a
 * browser would find it only when it links them, and then has no module at all. Returns it as an error of a bundler;
 * `null`: there is none.
 */
export async function missingExport(environment: DevEnvironment, saved: Iterable<EnvironmentModuleNode>) {
  const programs = new Map<EnvironmentModuleNode, Program | null>()
  async function programOf(module: EnvironmentModuleNode): Promise<Program | null> {
    const known = programs.get(module)
    if (known !== undefined) return known
    const code = await codeOf(environment, module)
    const program = code === null ? null : await parseAstAsync(code).catch(() => null)
    programs.set(module, program)
    return program
  }

  /** The first name that one module imports from others, and that they do not export. */
  async function missingIn(importer: EnvironmentModuleNode, only?: EnvironmentModuleNode) {
    for (const { source, name, start } of importsOf(await programOf(importer))) {
      const imported = [...importer.importedModules].find(({ url }) => url === urlIn(environment, source))
      if (!imported || !isOwnScript(imported) || (only && imported !== only)) continue
      const names = exportsOf(await programOf(imported))
      if (names === null || names.has(name)) continue
      const loc = sourcePlace(importer, await codeOf(environment, importer), start)
      const from = path.basename(imported.file ?? imported.url)
      return Object.assign(new Error(`"${name}" is not exported by ${from}`), {
        code: 'MISSING_EXPORT',
        id: importer.file ?? importer.url,
        ...(loc && { loc }),
      })
    }
    return null
  }

  for (const module of saved) {
    if (!isOwnScript(module)) continue
    const own = await missingIn(module)
    if (own !== null) return own
    for (const importer of module.importers) {
      const missing = isOwnScript(importer) ? await missingIn(importer, module) : null
      if (missing !== null) return missing
    }
  }
  return null
}

const isOwnScript = ({ type, file }: EnvironmentModuleNode) =>
  type === 'js' && file !== null && !file.includes('/node_modules/')

const codeOf = async (environment: DevEnvironment, { url }: EnvironmentModuleNode) =>
  (await environment.transformRequest(url).catch(() => null))?.code ?? null

/** The URL by which the graph knows what a compiled module imports. */
function urlIn({ config }: DevEnvironment, source: string): string {
  const url = source.startsWith(config.base) ? source.slice(config.base.length - 1) : source
  return url.replace(/([?&])t=\d+(&|$)/, '$1').replace(/[?&]$/, '')
}

function* importsOf(program: Program | null) {
  for (const node of program?.body ?? []) {
    if (node.type !== 'ImportDeclaration') continue
    for (const one of node.specifiers) {
      if (one.type === 'ImportNamespaceSpecifier') continue
      const name = one.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(one.imported)
      yield { source: node.source.value, name, start: one.start }
    }
  }
}

/** What a module exports; `null`: it also exports all that others do. */
function exportsOf(program: Program | null): ReadonlySet<string> | null {
  if (program === null) return null
  const names = new Set<string>()
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration') names.add('default')
    if (node.type === 'ExportAllDeclaration') {
      if (node.exported === null) return null
      names.add(nameOf(node.exported))
    }
    if (node.type !== 'ExportNamedDeclaration') continue
    for (const one of node.specifiers) names.add(nameOf(one.exported))
    const { declaration } = node
    if (declaration === null) continue
    if (declaration.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) {
        // Names that are taken out of an object are rare here, and not worth a walk.
        if (id.type !== 'Identifier') return null
        names.add(id.name)
      }
    } else if ('id' in declaration && declaration.id && 'name' in declaration.id)
      names.add(declaration.id.name)
  }
  return names
}

const nameOf = (name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  name.name ?? String(name.value)
