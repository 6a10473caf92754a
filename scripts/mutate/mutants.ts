import ts from 'typescript'

/** One change of a source: what is at `from` to `to` reads `text` instead. */
export interface Mutant {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly line: number
  /** The whole line of the source, without its indent. */
  readonly code: string
  /** What the change is, such as `< → <=`. */
  readonly change: string
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '|': '&',
  '&': '|',
  '>>': '<<',
  '<<': '>>',
}

/** All small changes of a source that the compiler of types does not see, in the order of the text. */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const lines = source.split('\n')
  const add = (node: ts.Node, text: string, change: string) => {
    const from = node.getStart(file)
    const { line } = file.getLineAndCharacterOfPosition(from)
    found.push({ from, to: node.end, text, line: line + 1, code: lines[line]?.trim() ?? '', change })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    for (const [text, change] of changesOf(node)) add(node, text, change)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

function* changesOf(node: ts.Node): Generator<readonly [text: string, change: string]> {
  const other = ts.isBinaryExpression(node.parent) ? operators[node.getText()] : undefined
  if (ts.isToken(node) && other) yield [other, `${node.getText()} → ${other}`]
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    yield [node.operand.getText(), '!x → x']
  if (node.kind === ts.SyntaxKind.TrueKeyword) yield ['false', 'true → false']
  if (node.kind === ts.SyntaxKind.FalseKeyword) yield ['true', 'false → true']
  if (isPlainCondition(node)) yield [`!(${node.getText()})`, 'if (x) → if (!x)']
  if (ts.isReturnStatement(node) && node.expression) yield ['return', 'return x → return']
  if (ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node))
    yield ['undefined', '=> x → => undefined']
  if (ts.isNumericLiteral(node))
    for (const by of [1, -1]) {
      const text = String(Number(node.text) + by)
      yield [Number(text) < 0 ? `(${text})` : text, `${node.text} → ${text}`]
    }
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) yield ['{}', 'statement → nothing']
  if (isWord(node)) yield ["'other'", `${node.getText()} → 'other'`]
}

/** A condition without an operator of its own, which the other changes would leave alone. */
function isPlainCondition(node: ts.Node): boolean {
  const { parent } = node
  const isCondition =
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node)
  return isCondition && !ts.isBinaryExpression(node) && !ts.isPrefixUnaryExpression(node)
}

/** A text that code compares or looks up. One with a space in it is a sentence, which people read. */
function isWord(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node) || node.text.includes(' ')) return false
  return !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)
}

/** How often the loops of a mutant may turn together before it counts as endless. */
const TURNS_MAX = 3_000_000

/** The source with the change in it, and with loops that end. */
export function applyMutant(source: string, { from, to, text }: Mutant): string {
  const changed = source.slice(0, from) + text + source.slice(to)
  const file = ts.createSourceFile('source.ts', changed, ts.ScriptTarget.Latest, true)
  const inserts: [at: number, text: string][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) {
      inserts.push([node.statement.getStart(file), '{ mutantTurn();'], [node.statement.end, '}'])
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  const bounded = inserts
    .sort(([a], [b]) => b - a)
    .reduce((all, [at, part]) => all.slice(0, at) + part + all.slice(at), changed)
  return `${bounded}
var mutantTurns;
function mutantTurn() { mutantTurns = (mutantTurns ?? 0) + 1; if (mutantTurns > ${TURNS_MAX}) throw new Error('endless') }
`
}
