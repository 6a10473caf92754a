import ts from 'typescript'

/** The names that entries of packages are declared to have as values, entry by entry, for a module in that file. */
export function declaredValues(entries: readonly string[], file: string): string[][] {
  const text = entries.map((entry, at) => `import * as e${at} from '${entry}'`).join('\n')
  const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, skipLibCheck: true }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, text, version) : read(name, version, ...rest)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const { statements = [] } = program.getSourceFile(file) ?? {}
  return statements.map((statement) => {
    const module = checker.getSymbolAtLocation((statement as ts.ImportDeclaration).moduleSpecifier)
    if (!module) throw new Error(`${statement.getText()} finds no module`)
    // Of a module, these are its values alone.
    return checker
      .getTypeOfSymbol(module)
      .getProperties()
      .map(({ name }) => name)
      .sort()
  })
}
