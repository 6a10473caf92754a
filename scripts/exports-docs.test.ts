import path from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { entries } from './docs/entries.ts'
import { docOf, type Editor, isOurs, openEditor } from './testing/types.ts'

/**
 * The members that an editor offers of an exported name: its properties and methods, the options of a function, and
 * what the types of properties lead to.
 */
function members(
  checker: ts.TypeChecker,
  type: ts.Type,
  at: string,
  seen: Set<ts.Type>,
): [string, ts.Symbol][] {
  if (seen.has(type) || type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) return []
  seen.add(type)
  const inner = [
    ...(type.isUnionOrIntersection() ? type.types : []),
    ...checker.getTypeArguments(type as ts.TypeReference),
  ]
  return [
    ...inner.flatMap((part) => members(checker, part, at, seen)),
    ...type
      .getProperties()
      .filter(isOurs)
      .flatMap((symbol): [string, ts.Symbol][] => {
        const below =
          symbol.flags & ts.SymbolFlags.Method
            ? []
            : members(checker, checker.getTypeOfSymbol(symbol), `${at}.${symbol.name}`, seen)
        return [[`${at}.${symbol.name}`, symbol], ...below]
      }),
  ]
}

/** The options and the result of an exported function. */
const surroundings = (checker: ts.TypeChecker, type: ts.Type): ts.Type[] =>
  type
    .getCallSignatures()
    .flatMap((signature) => [
      ...signature.parameters.map((parameter) => checker.getTypeOfSymbol(parameter)),
      signature.getReturnType(),
    ])

/**
 * Types that zod makes of a schema: what they say is on a page of docs/reference.
 */
const ELSEWHERE = /^packages\/contract\/src\/schemas\/(manifest|plugin-manifest|distribution)\.ts:/

/** Where a symbol is declared. */
const where = ({ declarations }: ts.Symbol): string => {
  const node = declarations?.[0]
  if (!node) return ''
  const file = node.getSourceFile()
  return `${path.relative('.', file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

const texts: ReadonlyMap<string, Editor> = new Map(
  entries.map(([name, entry]) => [entry, openEditor(name, `export * from '${entry}'`)]),
)

function silentNames(entry: string): string[] {
  const { checker, source } = texts.get(entry) as Editor
  const seen = new Set<ts.Type>()
  return checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol).flatMap((name) => {
    const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name
    const type =
      symbol.flags & ts.SymbolFlags.Type
        ? checker.getDeclaredTypeOfSymbol(symbol)
        : checker.getTypeOfSymbol(symbol)
    const all: [string, ts.Symbol][] = [
      [symbol.name, symbol],
      ...[type, ...surroundings(checker, type)].flatMap((one) => members(checker, one, symbol.name, seen)),
    ]
    return all
      .filter(([, one]) => docOf(one, checker) === '' && !ELSEWHERE.test(where(one)))
      .map(([at, one]) => `${at} in ${where(one)}`)
  })
}

const silent = entries.map(([, entry]): [string, string[]] => [entry, silentNames(entry)])

verifies.each('docs.exports')(silent)('an editor shows a text for all of %s', (_entry, names) => {
  expect(names).toEqual([])
})

verifies.each('docs.exports')([
  ['@svc/sdk', 'svc'],
  ['@svc/sdk', 'connect'],
  ['@svc/sdk', 'HostRpcError'],
  ['@svc/react', 'useTool'],
  ['@svc/host', 'createHost'],
  ['@svc/plugin', 'serve'],
  ['@svc/plugin', 'tool'],
  ['@svc/runner', 'connectRunner'],
  ['@svc/cli/harness', 'startHarness'],
  ['@svc/testing', 'createTestHost'],
  ['@svc/testing/playwright', 'openApp'],
] as const)('%s shows an example for %s', (entry, name) => {
  const { checker, source } = texts.get(entry) as Editor
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
  const found = exported.find((one) => one.name === name) as ts.Symbol
  const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
  expect(symbol.getJsDocTags(checker).map((tag) => tag.name)).toContain('example')
})
