import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillNeeds, type Reach, type RpcResponse } from '@svc/contract'
import { limits } from '@svc/contract/limits'
import { programOf } from './installed.ts'
import type { ServerRow } from './server-row.ts'

/** How a server of the corpus is started. */
export interface Started {
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly reach: Reach
  readonly start_ms: number
}

/** On a busy machine a start takes longer than rows say; one that never comes is waited for as usual. */
export const startMs = ({ tools, start_ms = limits.MCP_START_MS }: ServerRow): number =>
  tools === 0 ? start_ms : limits.PLUG_START_MAX_MS

/** What a user gives, in a folder of the test. */
export const valuesOf = ({ given = {} }: ServerRow, work: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, inFolder(value, work)]))

/** How an operator configures a row, for a `node_modules` that has the server and a folder of the test. */
export function started(row: ServerRow, modules: string, work: string): Started {
  const { args, env } = row
  const values = valuesOf(row, work)
  const filled = fillNeeds({ args, env, reach: reachInTests(row) }, (name) => values[name])
  return {
    command: ['node', programOf(modules, row), ...(filled.args ?? [])],
    env: filled.env ?? {},
    reach: filled.reach ?? {},
    start_ms: startMs(row),
  }
}

/** The reach of a row without its hosts: nobody's service is called, and what needs its host must say so. */
export const reachInTests = ({ reach: { hosts, folders } = {} }: ServerRow): Reach => ({
  ...(hosts && { hosts: ['other.example.com'] }),
  ...(folders && { folders }),
})

const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:9' } }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  users: [{ name: 'c', user: {} }],
})
/** What lies in the folder of the test. */
const files = [
  ['a.txt', 'the first line\n'],
  ['a.md', '# A note\n'],
  ['a.js', 'debugger\n'],
  ['config', kubeconfig],
  ['eslint.config.mjs', "export default [{ rules: { 'no-debugger': 'error' } }]\n"],
] as const

/** Makes the files that calls of the rows are about. */
export function fillFolder(work: string): void {
  mkdirSync(join(work, '.obsidian'))
  for (const [name, text] of files) writeFileSync(join(work, name), text)
}

/** The texts of an answer; of one that failed, its error. */
export function textIn(answer: RpcResponse): string {
  if (!answer.ok) return `${answer.error.code}: ${answer.error.message}`
  const { content = [] } = answer.result as { readonly content?: readonly { readonly text?: string }[] }
  return content.map(({ text }) => text).join('\n')
}

/** Arguments of a call with the folder of the test in them. */
export const placed = (args: object, work: string): Record<string, unknown> =>
  JSON.parse(inFolder(JSON.stringify(args), work))

const inFolder = (text: string, work: string) => text.replaceAll('${WORK}', work)
