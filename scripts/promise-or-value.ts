import ts from 'typescript'

/** A place where a value may be a promise of it. */
export interface PromiseOrValue {
  readonly line: number
  /** How it is written: a union, a look at which of the two it is, or the helpers of the host's calls. */
  readonly what: 'T | Promise<T>' | 'instanceof Promise' | 'when.ts'
  /** Whether the list below has its place. */
  readonly isAllowed: boolean
}

const HOST = 'packages/host/src'

/**
 * The places that may have it, each a file, a folder or what a file declares, and why
 * (docs/decisions/0071-promise-or-value.md). Tests are free.
 */
export const allowed: Readonly<Record<string, string>> = {
  [`${HOST}/kernel/when.ts`]: 'tells the two apart, for all others of the host',
  [`${HOST}/edge/rpc/`]: 'a call that waits for nothing is answered in the turn in which it came',
  [`${HOST}/edge/http/fronts.ts`]: 'what the fronts are given of a call',
  [`${HOST}/edge/http/node-front.ts`]: 'a call by POST',
  [`${HOST}/edge/http/call-socket.ts`]: 'a call by the call socket',
  [`${HOST}/kernel/limiter/bodies.ts`]: 'the body of a call has its turn at once',
  [`${HOST}/edge/http/routes/rated.ts`]: 'the same for routes, which judge anew who had to wait',
  [`${HOST}/access/tokens/tokens.ts`]: 'the token of a call was verified before',
  [`${HOST}/access/users/sign-in.ts`]: 'the sign-in of a call, and a callback of the operator',
  [`${HOST}/access/users/users.ts`]: 'the user of a call is in a copy',
  'packages/state/src/store/copy.ts': 'a read-through cache that has the record',
  'packages/contract/src/methods/index.ts Answer': 'a handler of a call',
  'packages/contract/src/wire/wire.ts beforeClose': 'a callback of an app',
  [`${HOST}/edge/http/routes/page.ts PageFiles`]: 'a callback of the operator',
  [`${HOST}/models/web/search.ts WebSearch`]: 'a callback of the operator',
  [`${HOST}/plugins/credentials/credentials.ts status`]: 'a callback of the operator',
  [`${HOST}/plugins/credentials/credentials.ts request`]: 'a callback of the operator',
  'packages/plugin/src/live-plugin.ts describe': 'a callback of an author',
  'packages/runner/src/remote/allow.ts AllowPlugin': 'a callback of who opens a runner',
  'packages/conformance/src/story-page.ts evaluate': 'a callback of a story',
  'packages/conformance/src/other-browsers/webkit-locator.ts': 'the same in WebKit',
  'packages/testing/src/models/script.ts ModelScript': 'a callback of a test',
}

/** Returns the places of a source, each with the entry of `allowed` that has it; `file` is counted from the root. */
export function readPlaces(file: string, text: string) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: (PromiseOrValue & { readonly entry: string | undefined })[] = []
  const visit = (node: ts.Node): void => {
    const what = whatIs(node)
    if (what) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const entry = entryOf(file, nameOf(node))
      found.push({ line: line + 1, what, entry, isAllowed: entry !== undefined })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function whatIs(node: ts.Node): PromiseOrValue['what'] | undefined {
  if (ts.isUnionTypeNode(node)) {
    const values = node.types.filter((type) => !isPromise(type) && !isNothing(type))
    // `Promise<T> | null` is no value: there is something to wait for, or nothing.
    return node.types.some(isPromise) && values.length > 0 ? 'T | Promise<T>' : undefined
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword)
    return node.right.getText() === 'Promise' ? 'instanceof Promise' : undefined
  if (ts.isImportDeclaration(node) && /\/when\.ts['"]$/.test(node.moduleSpecifier.getText())) return 'when.ts'
  return undefined
}

const isPromise = (type: ts.TypeNode): boolean =>
  ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise'

const isNothing = (type: ts.TypeNode): boolean =>
  type.kind === ts.SyntaxKind.UndefinedKeyword || type.getText() === 'null'

/** The nearest declaration around a node that has a name. */
function nameOf(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent)
    if (ts.isTypeAliasDeclaration(at) || ts.isMethodSignature(at)) return at.name.getText()
  return undefined
}

function entryOf(file: string, name: string | undefined): string | undefined {
  const folders = Object.keys(allowed).filter((entry) => entry.endsWith('/') && file.startsWith(entry))
  return [file, `${file} ${name}`, ...folders].find((entry) => entry in allowed)
}
