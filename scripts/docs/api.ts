import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Application } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { documented, sourceOf } from './entries.ts'

/** Where the pages of the packages are written: beside the other pages of docs. */
const dir = 'docs/api'

const looks: Partial<PluginOptions> = {
  outputFileStrategy: 'modules',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  entryFileName: 'index',
}

/** Writes a page for each entry of our packages, made by TypeDoc from the types and their comments. */
export async function writeApiPages(): Promise<void> {
  rmSync(dir, { recursive: true, force: true })
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: documented.map(([folder, name]) => sourceOf(folder, name)),
    tsconfig: 'tsconfig.base.json',
    compilerOptions: { types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'] },
    // The compiler has its own check; comments name the fields of an argument, which TypeDoc does not know.
    skipErrorChecking: true,
    validation: false,
    logLevel: 'Error',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    readme: 'none',
    name: 'Packages',
    out: dir,
    ...looks,
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the packages')
  const names = new Map(documented.map(([folder, name]) => [path.resolve(sourceOf(folder, name)), name]))
  for (const module of project.children ?? []) {
    const source = project.getSymbolIdFromReflection(module)?.fileName ?? ''
    module.name = names.get(source)?.replace('@svc/', '') ?? module.name
  }
  await app.generateOutputs(project)
  rmSync(`${dir}/index.md`)
  for (const [, name] of documented) writeHeading(name)
}

/** A page is in a folder without the scope, and its heading has the name as one imports it; nobody edits it. */
function writeHeading(name: string): void {
  const file = `${dir}/${name.replace('@svc/', '')}.md`
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, ['---', 'editLink: false', '---', `# ${name}`, ...lines].join('\n'))
}
