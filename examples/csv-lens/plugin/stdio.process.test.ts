import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import { tableText } from '../src/table-text.ts'
import { journeys, nodePlugin, pythonPlugin, withoutPython } from './both-plugins.ts'
import { describeCsv } from './describe.ts'
import type { RawPlugin } from './raw-plugin.ts'
import { startRawPlugin } from './raw-plugin.ts'
import type { Report } from './report.ts'
import { SPECIMENS, specimen } from './specimens.ts'
import { EXTREMES, FAILURES, PIECES, TABLES } from './tricky-tables.ts'

const NO_PYTHON = 'python3: not installed, or older than 3.9; npm run tools'

/** What any plugin must answer: the report, or the refusal's sentence. */
function expected(csv: string) {
  try {
    return { output: describeCsv(csv, 'table') }
  } catch (error) {
    return { success: false, error: (error as Error).message }
  }
}

for (const { language, command, skip } of [nodePlugin, pythonPlugin]) {
  describe(`the ${language} plugin on bare pipes`, () => {
    let plugin: RawPlugin
    beforeAll(() => {
      if (!skip) plugin = startRawPlugin(command)
    })
    afterAll(async () => {
      if (!skip) expect(await plugin.end()).toBe(0)
    })
    beforeEach(({ skip: leave }) => leave(skip, NO_PYTHON))

    const call = async (args: unknown) => {
      const params = { name: 'describe_csv', args, timeout: 15_000, deadline_ms: Number.MAX_SAFE_INTEGER }
      const reply = await plugin.ask({
        id: 'call',
        method: 'call',
        params: { ...params, context: { invoke_id: 'call' } },
      })
      expect(reply).toMatchObject({ jsonrpc: '2.0', id: 'call' })
      return reply.result
    }

    it('describes itself', async () => {
      const reply = await plugin.ask({ id: 1, method: 'describe' })
      expect(reply).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: {
          version: '1.0.0',
          tools: [{ name: 'describe_csv', parameters: [{ name: 'csv', required: true }, { name: 'name' }] }],
        },
      })
    })

    it('describes the journeys as the independent check does', async () => {
      const result = await call({ csv: journeys, name: 'journeys.csv' })
      expectFigures((result as { output: Report }).output, figuresOf(journeys, 'journeys.csv'))
      expect(result).toEqual({ output: describeCsv(journeys, 'journeys.csv') })
    })

    it.each(TABLES)('describes %s as the independent check does', async (_what, csv) => {
      const result = await call({ csv, name: 'table' })
      expectFigures((result as { output: Report }).output, figuresOf(csv, 'table'))
      expect(result).toEqual({ output: describeCsv(csv, 'table') })
    })

    it.each(EXTREMES)('describes %s as the other plugin does', async (_what, csv) => {
      // Both languages are compared with one report; JSON has no minus zero, and there must be none in it.
      expect(await call({ csv, name: csv })).toStrictEqual({ output: describeCsv(csv, csv) })
    })

    it.each(SPECIMENS)('describes %s as the other plugin does', async (file) => {
      const csv = tableText(specimen(file), file).text
      expect(await call({ csv, name: file })).toStrictEqual({ output: describeCsv(csv, file) })
    })

    it.each(FAILURES)('refuses a text: %s', async (sentence, csv) => {
      expect(await call({ csv })).toEqual({ success: false, error: sentence })
    })

    it('answers any text as the other plugin does', async () => {
      const piece = fc.constantFrom(...PIECES)
      const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
      await fc.assert(
        fc.asyncProperty(text, async (csv) => {
          expect(await call({ csv, name: 'table' })).toStrictEqual(expected(csv))
        }),
        { numRuns: rounds(1_000) },
      )
    })

    it('calls the table table.csv where no name is given', async () => {
      expect(await call({ csv: 'a' })).toMatchObject({ output: { name: 'table.csv' } })
    })

    it.each([
      ['csv', {}],
      ['csv', { csv: 7 }],
      ['name', { csv: 'a', name: 7 }],
      ['args', []],
    ])('answers a wrong %s with an error that names it', async (name, args) => {
      const params = { name: 'describe_csv', args, timeout: 1000, deadline_ms: Number.MAX_SAFE_INTEGER }
      const reply = await plugin.ask({ id: 'a', method: 'call', params })
      expect(reply).toMatchObject({
        id: 'a',
        error: { code: -32602, message: expect.stringContaining(name) },
      })
    })

    it('answers an unknown tool and an unknown method with an error', async () => {
      const unknownTool = { name: 'nosuch', args: {}, timeout: 1000, deadline_ms: Number.MAX_SAFE_INTEGER }
      const replies = [
        await plugin.ask({
          id: 'a',
          method: 'call',
          params: { ...unknownTool, context: { invoke_id: 'a' } },
        }),
        await plugin.ask({ id: 'b', method: 'nosuch' }),
      ]
      expect(replies).toMatchObject([
        { id: 'a', error: { code: expect.any(Number), message: expect.any(String) } },
        { id: 'b', error: { code: -32601, message: expect.any(String) } },
      ])
    })

    it.each([
      ['nothing', ''],
      ['spaces', '   '],
      ['no JSON', '{'],
      ['no object', '[]'],
      ['a scalar', '42'],
      ['a cancel of a call that has ended', '{"jsonrpc":"2.0","method":"cancel","params":{"id":"call"}}'],
      ['a cancel of nothing', '{"jsonrpc":"2.0","method":"cancel"}'],
      ['a notification it does not know', '{"jsonrpc":"2.0","method":"nosuch"}'],
      ['a line nested too deep', '['.repeat(100_000)],
    ])('goes on after %s', async (_what, line) => {
      plugin.write(line)
      expect(await plugin.ask({ id: 2, method: 'describe' })).toMatchObject({ id: 2, result: {} })
    })

    it('answers calls that were written at once, each by its id', async () => {
      const ids = ['1', 1, '2']
      for (const id of ids) plugin.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'describe' }))
      const answered = [await plugin.read(), await plugin.read(), await plugin.read()].map(
        (reply) => reply.id,
      )
      expect(answered).toEqual(ids)
    })
  })
}

describe('the Python plugin, cancelled in mid-call', () => {
  beforeEach(({ skip }) => skip(withoutPython, NO_PYTHON))
  verifies('stdio.python', 'gives the call up, and goes on', async () => {
    const plugin = startRawPlugin(pythonPlugin.command)
    const args = { csv: journeys, name: 'journeys.csv' }
    const reply = plugin.ask({ id: 'long', method: 'call', params: { name: 'describe_csv', args } })
    plugin.write('{"jsonrpc":"2.0","method":"cancel","params":{"id":"long","reason":"closed"}}')
    expect(await reply).toEqual({
      jsonrpc: '2.0',
      id: 'long',
      result: { success: false, error: 'cancelled' },
    })
    expect(await plugin.ask({ id: 2, method: 'describe' })).toMatchObject({ id: 2 })
    expect(await plugin.end()).toBe(0)
  })
})

it('ships the journeys that its script makes', () => {
  const made = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('../data/make.mjs', import.meta.url)), '--check'],
    { encoding: 'utf8' },
  )
  expect(made).toMatchObject({ status: 0, stderr: '' })
})

/** Equal in everything but the last digits of means, quartiles and edges, which the check computes as fractions. */
function expectFigures(report: Report, right: Report): void {
  expect(report).toEqual({
    ...right,
    columns: right.columns.map((column) =>
      column.kind === 'text'
        ? column
        : {
            ...column,
            mean: close(column.mean),
            quartiles: column.quartiles.map(close),
            histogram: { edges: column.histogram.edges.map(close), counts: column.histogram.counts },
          },
    ),
  })
}

function close(value: number | null): unknown {
  return value === null || value === 0
    ? value
    : expect.toSatisfy((got: number) => Math.abs(got / value - 1) < 1e-12)
}
