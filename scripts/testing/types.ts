import path from 'node:path'
import ts from 'typescript'

/** A program of one source in the folder of a package, read as its editor reads it. */
export interface Editor {
  readonly checker: ts.TypeChecker
  readonly source: ts.SourceFile
  /** What the compiler says of the source: line (from 1) → messages, each on one line. */
  readonly errors: ReadonlyMap<number, readonly string[]>
}

/** Files that do not change while tests run: parsing them takes most of the time of a program. */
const parsed = new Map<string, ts.SourceFile>()
/** By package: its options, and the program before, whose files and imports the next one takes over. */
const before = new Map<string, { readonly options: ts.CompilerOptions; readonly program?: ts.Program }>()

/** Opens a source text as a file of `packages/<name>/src`. */
export function openEditor(name: string, text: string): Editor {
  const dir = path.resolve('packages', name)
  const last = before.get(name)
  const options = last?.options ?? optionsOf(dir)
  const file = path.join(dir, 'src', 'opened-by-a-test.ts')
  const host = ts.createCompilerHost(options, true)
  const read = host.getSourceFile
  host.getSourceFile = (fileName, ...rest) => {
    if (fileName === file) return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const source = parsed.get(fileName) ?? read(fileName, ...rest)
    if (source) parsed.set(fileName, source)
    return source
  }
  const exists = host.fileExists
  host.fileExists = (fileName) => fileName === file || exists(fileName)
  const program = ts.createProgram([file], options, host, last?.program)
  before.set(name, { options, program })
  const source = program.getSourceFile(file)
  if (!source) throw new Error(`${file} was not read`)
  const errors = new Map<number, string[]>()
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(source)) {
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    errors.set(line, [...(errors.get(line) ?? []), ts.flattenDiagnosticMessageText(messageText, ' ')])
  }
  return { checker: program.getTypeChecker(), source, errors }
}

function optionsOf(dir: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(dir, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, dir).options
}

/**
 * Whether a symbol is of this repository and not private: what comes from elsewhere has the documentation of its
 * author.
 */
export const isOurs = (symbol: ts.Symbol): boolean =>
  !symbol.name.includes('#') &&
  (symbol.declarations ?? []).some((node) => {
    const { fileName } = node.getSourceFile()
    return !fileName.includes('node_modules')
  })

/** The text that an editor shows for a symbol. */
export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
