import { randomUUID } from 'node:crypto'
import { processesWith } from '@svc/conformance/processes'
import { type Behaviour, behaviours } from '@svc/conformance/testing/fake-provider'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { corpusScene, type Invoke } from './corpus-scene.ts'
import { installed } from './installed.ts'
import { plainList } from './plain-client.ts'
import type { ServerRow, ToolCall } from './server-row.ts'
import { fillFolder, placed, started, textIn } from './started.ts'

type Call = Omit<ToolCall, 'says'>
/** Of what comes in the end, on a busy machine. */
const PATIENT = { timeout: 20_000, interval: 50 }

/** The tests of a row, behind walls: its list, a call that works without a network, and one that fails. */
export function proveServer(row: ServerRow): void {
  const scene = corpusScene(async (work) => {
    fillFolder(work)
    const own = started(row, await installed(row), work)
    return { protocol: 'mcp', ...own, env: { ...own.env, CORPUS_MARK: mark } }
  })
  const mark = randomUUID()
  const invoke = ({ tool, args }: Call, more?: Invoke) => scene.invoke(tool, placed(args, scene.work), more)

  verifies('mcp.describe', 'lists what a plain client is told', async () => {
    const own = started(row, await installed(row), scene.work)
    const plain = row.tools === 0 ? [] : await plainList(own, scene.work)
    expect(plain).toHaveLength(row.tools)
    const told = plain.filter(({ name }) => !row.tasks?.includes(name))
    const answer = await scene.window.call('tools', 'list')
    const { tools } = (answer.ok ? answer.result : {}) as {
      readonly tools: readonly { readonly tool_name: string; readonly input_schema: unknown }[]
    }
    const schemas = (list: readonly (readonly [string, unknown])[]) => new Map(list)
    expect(schemas(tools.map(({ tool_name, input_schema }) => [tool_name, input_schema]))).toEqual(
      schemas(told.map(({ name, inputSchema }) => [name, inputSchema])),
    )
  })

  const { call, fails } = row
  if (call)
    verifies('mcp.call', `answers ${call.tool}`, async () => {
      expect(textIn(await invoke(call))).toMatch(call.says)
    })

  it(`says why ${fails.tool} fails`, async () => {
    const answer = await invoke(fails)
    // Some servers answer with what went wrong at their host, as if it were a result.
    if (!row.reach?.hosts) expect(answer).toMatchObject({ ok: false })
    // Its message, or the hint in its details.
    expect(JSON.stringify(answer)).toMatch(fails.says)
  })

  const { state, slow, picture } = row
  if (state)
    it('keeps what it knows for its window, and from another app', async () => {
      const [set, get] = state
      expect(textIn(await invoke(set))).toMatch(set.says)
      expect(textIn(await invoke(get))).toMatch(get.says)
      const stranger = { window: await scene.strangeWindow() }
      expect(textIn(await invoke(get, stranger))).not.toMatch(get.says)
      expect(textIn(await invoke(get))).toMatch(get.says)
    })

  if (slow)
    it(`ends ${slow.tool} at its deadline, with all that it started`, async () => {
      const window = await scene.host.openWindow()
      const before = pids()
      const answer = await invoke(slow, { window, timeoutMs: 3_000 })
      expect(answer).toMatchObject({ ok: false, error: { code: 'tool_timeout' } })
      await expect.poll(() => pids().filter((pid) => !before.includes(pid)), PATIENT).toEqual([])
      if (call) expect(textIn(await invoke(call, { window }))).toMatch(call.says)
    })
  const pids = () => processesWith(`CORPUS_MARK=${mark}`).map(({ pid }) => pid)

  const asked = picture ? { ...picture, says: /./ } : call
  if (asked)
    it(`gives a model what ${asked.tool} answers`, async () => {
      const { provider, window, work } = scene
      const from = provider.requests.length
      provider.behave(calls(asked.tool, placed(asked.args, work)), behaviours.answers())
      const session = await window.call('agent', 'session.create', { submode: 'auto' })
      const { app_session_uuid } = (session.ok ? session.result : {}) as { app_session_uuid?: string }
      await window.call('agent', 'session.run', { app_session_uuid, content: 'Go on.' })
      const { body } = await provider.arrived(from + 1)
      const told = JSON.stringify(body.messages?.slice(2))
      if (picture) expect(told).toMatch(/"url":"data:image\/(png|jpeg);base64,/)
      else expect(told.replaceAll('\\', '')).toMatch(asked.says)
    })
}

/** A model that calls a tool of the plugin by the name that it has in this session. */
const calls =
  (tool: string, args: object): Behaviour =>
  (res, body) => {
    const { tools = [] } = body as {
      readonly tools?: readonly { readonly function: { readonly name: string } }[]
    }
    const name = tools.map((one) => one.function.name).find((one) => one.endsWith(`__${tool}`))
    behaviours.calls(name ?? `none of ${tools.length} tools is ${tool}`, JSON.stringify(args))(res, body)
  }
