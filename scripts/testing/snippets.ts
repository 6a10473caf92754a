import path from 'node:path'
import ts from 'typescript'
import { published, readManifest } from '../libraries.ts'

/** A piece of TypeScript or JavaScript of a page. */
export interface Snippet {
  readonly page: string
  /** Counts the snippets of a page, from 1. */
  readonly at: number
  readonly language: 'ts' | 'tsx' | 'js'
  readonly text: string
  /** What the page takes for granted, as declarations. */
  readonly given: string
}

/** The package from whose folder libraries of others are found: it has those of React; Node's are everywhere. */
const HOME = path.resolve('packages/react/src')

/** Libraries of others that are installed for one package alone. */
const others = {
  hono: ['packages/host/node_modules/hono/dist/types/index.d.ts'],
  jose: ['packages/host/node_modules/jose'],
  '@hono/node-server': ['packages/host/node_modules/@hono/node-server'],
  '@ai-sdk/openai-compatible': ['packages/host/node_modules/@ai-sdk/openai-compatible'],
  'playwright-core': ['node_modules/playwright-core'],
  vitest: ['node_modules/vitest'],
}

/** Our packages by their sources, whoever imports them. */
const ours = Object.fromEntries(
  published.flatMap((dir) => {
    const { name, exports = {} } = readManifest(dir)
    return Object.entries(exports).map(([entry, source]) => [
      path.posix.join(name, entry),
      [path.resolve(dir, source)],
    ])
  }),
)

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  paths: { ...ours, ...others },
}

/** Sources that do not change while tests run: parsing them takes most of the time of a program. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/**
 * Returns what the compiler says of each snippet, all of them in one program. JavaScript is TypeScript whose parameters
 * may have no type.
 */
export function snippetErrors(snippets: readonly Snippet[]): string[][] {
  const isJs = snippets.every(({ language }) => language === 'js')
  const texts = snippets.map((snippet, index) => [fileOf(snippet, index), textOf(snippet)] as const)
  return typeErrors(new Map(texts), { noImplicitAny: !isJs })
}

/** Returns what the compiler says of each file, by its text, with these options beside our own. */
export function typeErrors(texts: ReadonlyMap<string, string>, more: ts.CompilerOptions): string[][] {
  const own = { ...options, ...more, paths: { ...options.paths, ...more.paths } }
  const host = ts.createCompilerHost(own, true)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file)
    if (text !== undefined) return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest))
    return parsed.get(file)
  }
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  const program = ts.createProgram([...texts.keys()], own, host)
  return [...texts.keys()].map((file) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '),
    )
  })
}

const fileOf = ({ language }: Snippet, index: number) =>
  path.join(HOME, `snippet-${index}.${language === 'js' ? 'ts' : language}`)

/** A snippet after those declarations of its page whose names it does not declare itself. */
function textOf({ given, text }: Snippet): string {
  const own = declaredIn(text)
  const lines = given.split('\n').filter((line) => ![...declaredIn(line)].some((name) => own.has(name)))
  return `${lines.join('\n')}\nexport {}\n${text}`
}

/** The names that a text declares outside of functions and blocks. */
function declaredIn(text: string): Set<string> {
  const names = new Set<string>()
  const add = (name: ts.BindingName | undefined): void => {
    if (name && ts.isIdentifier(name)) names.add(name.text)
    else if (name) for (const one of name.elements) if (ts.isBindingElement(one)) add(one.name)
  }
  for (const statement of ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest).statements) {
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) add(name)
    else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) add(statement.name)
    else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) add(statement.name)
    else if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {}
      add(name)
      if (namedBindings && ts.isNamedImports(namedBindings))
        for (const one of namedBindings.elements) add(one.name)
    }
  }
  return names
}
