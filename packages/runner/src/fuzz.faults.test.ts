import { createGrammar } from '@svc/conformance/testing/grammar'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, expect } from 'vitest'
import { openBed } from './testing/bed.ts'

const SEED = 20_263
const CALLS = 50
const LINES_EACH = 200
const bed = openBed()
afterAll(() => bed.runner.close())

verifies(
  ['wall.fuzz'],
  '10 000 lines of a plugin that are nearly its protocol: every call is settled, and the runner goes on',
  async () => {
    const grammar = createGrammar(seeded(SEED))
    const line = () => {
      const id = grammar.chance(0.8) ? '$ID' : grammar.value()
      const method = grammar.pick(['progress', 'log', 'host/uploadFile', 'host/unknown', grammar.text()])
      const params = grammar.like({ type: 'object', properties: { id: {}, type: {}, data: {} } })
      const message = grammar.chance(0.5)
        ? { jsonrpc: '2.0', method, params: { ...(params as object), ...(grammar.chance(0.7) && { id }) } }
        : {
            jsonrpc: '2.0',
            id: grammar.value(),
            [grammar.pick(['result', 'error', 'method'])]: grammar.value(),
          }
      const text = JSON.stringify(message)
      return grammar.chance(0.5) ? text : Buffer.from(grammar.broken(Buffer.from(text))).toString()
    }
    const good = '{"jsonrpc":"2.0","id":$ID,"result":{"output":1}}'
    for (let call = 0; call < CALLS; call++) {
      const lines = [...Array.from({ length: LINES_EACH }, line), good]
      const outcome = await bed.call('raw', { text: `${lines.join('\n').replaceAll('"$ID"', '$ID')}\n` })
      expect(outcome, `call ${call}`).toSatisfy(({ ok, code }) => ok || typeof code === 'string')
    }
    expect(await bed.call('echo', { still: 'here' })).toMatchObject({ ok: true })
  },
)
