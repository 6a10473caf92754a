import { describe, expect, it } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { openEditor } from './testing/types.ts'

const MESSAGE_MAX_CHARS = 160

const names = `import { svc, type Payload, type ToolArgs, type ToolPayload } from '@svc/sdk'
import { client } from '@svc/sdk/core'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>) => undefined
interface Mine { readonly mine: 1 }
interface Report { name: string; rows: number }
declare const text: string
declare const either: 'csv-stats' | 'csv-stats-python'
declare const any: Record<string, unknown>
declare const entry: { tool_id: string; tool_name: string }
const { invoke, invokeAsync, invokeAsyncAwait } = svc.tools`

const declared = `declare module '@svc/sdk' {
  interface KnownTools {
    'csv-stats': {
      describe_csv: { args: { csv: string; name?: string | undefined }; result: Report }
      ping: { args: { how?: 'loud' | 'soft' | undefined } }
    }
    'csv-stats-python': { describe_csv: { args: { csv: string }; result: Report } }
  }
  interface OpenTools { 'tool-ada-weather-1': unknown }
}`

/** What the compiler says of each line of a text, behind the names that it uses; of a good one nothing. */
function judge(setting: string, lines: readonly string[]): (readonly string[])[] {
  const head = [
    names,
    setting,
    'export const all = [text, either, any, entry, client, same<1, 1>, invoke, invokeAsync, invokeAsyncAwait]',
    'export type All = [Mine, Report, Payload<1>]',
  ].join('\n')
  const { errors } = openEditor('sdk', [head, ...lines].join('\n'))
  const before = head.split('\n').length
  expect([...errors].filter(([line]) => line <= before)).toEqual([])
  return lines.map((_, at) => errors.get(before + at + 1) ?? [])
}

const untyped = [
  `same<Record<string, unknown>, Awaited<ReturnType<typeof untypedCall>>>(true); async function untypedCall() { return await invoke({ tool_id: 'a' }) }`,
  `;(await invoke<Report>({ tool_id: 'a', method: 'x', args: { a: 1 } })).rows.toFixed()`,
  `const one: Mine = await invoke({ tool_id: 'a.b', timeoutMs: 4 }, { timeoutMs: 1 })`,
  `await invoke({ tool_id: text, method: text, args: any })`,
  `await invoke({ tool_id: 'a' as string | 'b', method: undefined, args: undefined })`,
  `;(await invokeAsync({ tool_id: 'a', clientTag: 'b' })).jobId.trim()`,
  `;(await invokeAsyncAwait<Report, Mine>({ tool_id: 'a' }, { onProgress: ({ data }) => data.mine })).rows.toFixed()`,
  `;(await invokeAsyncAwait({ tool_id: 'a' }))['anything']`,
  `;(await svc.tools.job<Report>('tjob_1').snapshot()).result?.rows.toFixed()`,
  `svc.tools.onChanged(([tool]) => { if (tool) same<typeof tool.tool_name, string>(true) })`,
  `async function passOn<Result extends object>(id: string) { return await invoke<Result>({ tool_id: id }) }`,
  `export { one, passOn }`,
]

verifies('types.untyped', 'an app that declares no tools is typed as before', () => {
  expect(judge('', untyped)).toEqual(untyped.map(() => []))
})

const good = [
  `same<Report, Awaited<ReturnType<typeof byName>>>(true); async function byName() { return await invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: '' } }) }`,
  `same<Report, Awaited<ReturnType<typeof byDot>>>(true); async function byDot() { return await invoke({ tool_id: 'csv-stats.describe_csv', args: { csv: '', name: '' } }) }`,
  `same<Report, Awaited<ReturnType<typeof byLines>>>(true); async function byLines() { return await invokeAsyncAwait({ tool_id: 'csv-stats__describe_csv', args: { csv: '' } }) }`,
  `;(await client.tools.invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: '' } })).rows.toFixed()`,
  `;(await invoke({ tool_id: either, method: 'describe_csv', args: { csv: '' }, timeoutMs: 5 })).rows.toFixed()`,
  `const named = { tool_id: 'csv-stats', method: 'describe_csv' } as const`,
  `;(await invoke({ ...named, args: { csv: '' } })).rows.toFixed()`,
  `await invokeAsync({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: '' }, clientTag: 'a' })`,
  `;(await invokeAsyncAwait({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: '' } }, { onProgress: ({ data }) => data })).rows.toFixed()`,
  `same<Record<string, unknown>, Awaited<ReturnType<typeof noResult>>>(true); async function noResult() { return await invoke({ tool_id: 'csv-stats', method: 'ping' }) }`,
  `const taken: Mine = await invoke({ tool_id: 'csv-stats', method: 'ping', args: { how: 'loud' } })`,
  `await invoke({ tool_id: 'tool-ada-weather-1', method: text, args: { city: 1 } })`,
  `await invoke({ tool_id: 'tool-ada-weather-1.forecast', args: { city: 1 } })`,
  `await invoke({ tool_id: entry.tool_id, method: entry.tool_name, args: any })`,
  `await invoke({ tool_id: 'csv-stats', method: text, args: any })`,
  `await invoke({ tool_id: \`tool-\${text}\` as const })`,
  `;(await invoke<Mine>({ tool_id: 'of another app', method: 'x', args: { a: 1 } })).mine.toFixed()`,
  `const args: ToolArgs<'csv-stats', 'ping'> = { how: 'soft' }`,
  `svc.tools.job<ToolPayload<'csv-stats', 'describe_csv'>>('tjob_1').result().then(({ rows }) => rows)`,
  `svc.tools.onChanged((tools) => tools.find(({ tool_name }) => tool_name === 'describe_csv' || tool_name === 'a newer one'))`,
  `async function passOn<Result extends object>(id: string) { return await invoke<Result>({ tool_id: id }) }`,
  `export { passOn, taken, args }`,
]

verifies('types.calls', 'a call of a tool that the app declares has its arguments and its result', () => {
  expect(judge(declared, good)).toEqual(good.map(() => []))
})

const wrong: readonly (readonly [call: string, message: unknown])[] = [
  [
    `invoke({ tool_id: 'csv-stas', method: 'describe_csv', args: { csv: '' } })`,
    `Type '"csv-stas"' is not assignable to type 'PluginName'. Did you mean '"csv-stats"'?`,
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: 'describe_cvs', args: { csv: '' } })`,
    `Type '"describe_cvs"' is not assignable to type '"describe_csv" | "ping"'. Did you mean '"describe_csv"'?`,
  ],
  [
    `invoke({ tool_id: 'csv-stats.describe_cvs', args: { csv: '' } })`,
    `Type '"csv-stats.describe_cvs"' is not assignable to type '"csv-stats.describe_csv" | "csv-stats.ping"'. Did you mean '"csv-stats.describe_csv"'?`,
  ],
  [
    `invoke({ tool_id: 'csv-stas.describe_csv', args: { csv: '' } })`,
    `Type '"csv-stas.describe_csv"' is not assignable to type 'PluginName'.`,
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: 1 } })`,
    `Type 'number' is not assignable to type 'string'.`,
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: {} })`,
    expect.stringMatching(`^Property 'csv' is missing`),
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: '', nam: '' } })`,
    expect.stringMatching(`'nam' does not exist in type .* Did you mean to write 'name'\\?$`),
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: 'ping', args: { how: 'lout' } })`,
    `Type '"lout"' is not assignable to type '"loud" | "soft" | undefined'.`,
  ],
  [
    `invokeAsyncAwait({ tool_id: 'csv-stats', method: 'describe_cvs', args: { csv: '' } })`,
    `Type '"describe_cvs"' is not assignable to type '"describe_csv" | "ping"'. Did you mean '"describe_csv"'?`,
  ],
  [
    `invokeAsync({ tool_id: 'csv-stas', method: 'describe_csv', args: { csv: '' } })`,
    `Type '"csv-stas"' is not assignable to type 'PluginName'. Did you mean '"csv-stats"'?`,
  ],
  [
    `const word: string = (await invoke({ tool_id: 'csv-stats.describe_csv', args: { csv: '' } })).rows`,
    `Type 'number' is not assignable to type 'string'.`,
  ],
  [
    `invoke({ tool_id: 'csv-stats', method: text, args: 1 })`,
    `Type 'number' is not assignable to type 'Record<string, unknown>'.`,
  ],
]

const incomplete: readonly (readonly [call: string, name: string])[] = [
  [`invoke({ tool_id: 'csv-stats', method: 'describe_csv' })`, 'args'],
  [`invoke({ tool_id: 'csv-stats' })`, 'method'],
  [`invoke({ tool_id: 'tool-ada-weather-1' })`, 'method'],
]

describe('a call that does not fit what the app declares', () => {
  const told = judge(
    declared,
    [...wrong, ...incomplete].map(([call]) => call),
  )

  verifies.each('types.wrong')(wrong.map(([call, message], at) => [call, told[at], message] as const))(
    '%s is told in one line',
    (_, messages, message) => {
      expect(messages).toEqual([message])
      expect(String(messages?.[0]).length).toBeLessThanOrEqual(MESSAGE_MAX_CHARS)
    },
  )

  verifies.each('types.wrong')(
    incomplete.map(([call, name], at) => [call, name, told[wrong.length + at]] as const),
  )('%s lacks %s', (_, name, messages) => {
    expect(messages).toEqual([expect.stringContaining(`Property '${name}' is missing`)])
  })
})

const payloads = [
  ['Report', 'Report'],
  ['Report | null', 'Report | Record<string, never>'],
  ['string[]', '{ value: string[] }'],
  ['boolean', '{ value: boolean }'],
  [`'a' | 7 | Report`, `Report | { value: 'a' | 7 }`],
  ['null', 'Record<string, never>'],
  ['unknown', 'Record<string, unknown>'],
] as const

it('the payload of an output is an object', () => {
  const lines = payloads.map(([output, payload]) => `same<Payload<${output}>, ${payload}>(true)`)
  expect(judge('', lines)).toEqual(payloads.map(() => []))
})
