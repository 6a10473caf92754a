import ts from 'typescript'
import { expect, it } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { docOf, isOurs, openEditor } from './testing/types.ts'

const MESSAGE_MAX_CHARS = 120

/** Every member under a type, and what is under it, by its dotted name: methods with their parameters and results. */
function walk(
  checker: ts.TypeChecker,
  type: ts.Type,
  at: string,
  seen: Set<ts.Type>,
  found: Map<string, ts.Symbol>,
) {
  if (seen.has(type) || type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) return
  seen.add(type)
  if (type.isUnionOrIntersection()) for (const part of type.types) walk(checker, part, at, seen, found)
  for (const argument of checker.getTypeArguments(type as ts.TypeReference) ?? [])
    walk(checker, argument, at, seen, found)
  for (const signature of type.getCallSignatures()) {
    for (const parameter of signature.parameters)
      walk(checker, checker.getTypeOfSymbol(parameter), at, seen, found)
    walk(checker, signature.getReturnType(), `${at}()`, seen, found)
  }
  for (const symbol of type.getProperties()) {
    if (!isOurs(symbol)) continue
    const name = `${at}.${symbol.name}`
    found.set(name, symbol)
    walk(checker, checker.getTypeOfSymbol(symbol), name, seen, found)
  }
}

const good = `import { svc } from '@svc/sdk'
export const opened = svc
interface Report { readonly rows: number }
interface Step { readonly percent: number }
const report = await svc.tools.invoke<Report>({ tool_id: 'a' })
const onProgress = ({ data }: { data: Step }) => data.percent.toFixed()
const again = await svc.tools.invokeAsyncAwait<Report, Step>({ tool_id: 'a' }, { onProgress })
const job = svc.tools.job<Report, Step>('tjob_1')
for await (const { data } of job.progress()) data.percent.toFixed()
const rows: number = report.rows + again.rows + (await job.result()).rows
const any: unknown = (await svc.tools.invoke({ tool_id: 'a' }))['anything']
export const all = [rows, any]`.split('\n')

const mistakes = [
  ['svc.storage.put({})', "Property 'put' does not exist on type 'StorageClient'."],
  ['svc.tools.call({})', "Property 'call' does not exist on type 'SvcTools'."],
  ['svc.agent.session.start({})', "Property 'start' does not exist on type 'SvcAgentSession'."],
  ['svc.store.get({})', "Property 'store' does not exist on type 'Svc'. Did you mean 'storage'?"],
  ['svc.storage.get({ key: 1 })', "Type 'number' is not assignable to type 'string'."],
] as const

const { checker, source, errors } = openEditor('sdk', [...good, ...mistakes.map(([call]) => call)].join('\n'))

verifies('docs.client', 'an editor shows a text for every member that svc leads to', () => {
  const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
  const opened = names.find(({ name }) => name === 'opened') as ts.Symbol
  const found = new Map<string, ts.Symbol>()
  walk(checker, checker.getTypeOfSymbol(opened), 'svc', new Set(), found)
  expect(found.size).toBeGreaterThan(300)
  expect([...found.keys()]).toEqual(expect.arrayContaining(['svc.storage.set', 'svc.agent.session.create']))
  const silent = [...found].filter(([, symbol]) => docOf(symbol, checker) === '').map(([name]) => name)
  expect(silent).toEqual([])
})

verifies('docs.client.short', 'a mistake in a call is told in one short line', () => {
  const told = mistakes.map((_, at) => errors.get(good.length + at + 1))
  expect(told).toEqual(mistakes.map(([, message]) => [message]))
  for (const [, message] of mistakes) expect(message.length).toBeLessThanOrEqual(MESSAGE_MAX_CHARS)
})

it('lets a caller name the types of results and progress', () => {
  expect([...errors].filter(([line]) => line <= good.length)).toEqual([])
})
