import { rounds } from '@svc/conformance/rounds'
import { createGrammar } from '@svc/conformance/testing/grammar'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { readMessage } from './guard.ts'
import { eachLine } from './lines.ts'
import { createSseReader } from './sse.ts'
import { readResponse } from './texts.ts'

const SEED = 20_262
const COUNT = rounds(5_000)
const ITEMS = 4

verifies(
  ['wall.iframe.guard', 'wall.fuzz'],
  `${COUNT} messages that are nearly lists of calls: each item with an id is a call or refused, and no other`,
  () => {
    const grammar = createGrammar(seeded(SEED))
    for (let count = 0; count < COUNT; count++) {
      const args = () => (grammar.chance(0.7) ? JSON.stringify(grammar.value()) : grammar.text())
      const item = () => [grammar.below(9), 'tools', 'invoke', args()]
      const list = Array.from({ length: 1 + grammar.below(4) }, item)
        .flat()
        .map((part) => (grammar.chance(0.1) ? grammar.value() : part))
      if (grammar.chance(0.1)) list.pop()
      const message = grammar.chance(0.1) ? grammar.value() : list
      const { calls, refused } = readMessage(message)
      const items = Array.isArray(message) && message.length % ITEMS === 0 ? message : []
      const ids = items.filter((id, at) => at % ITEMS === 0 && Number.isSafeInteger(id) && id > 0)
      const judged = [...calls, ...refused].map(({ id }) => id)
      expect(judged.sort(), `message ${count}`).toEqual(ids.sort())
      for (const call of calls) expect(JSON.parse(call.args), `message ${count}`).toBeTypeOf('object')
    }
  },
)

verifies(
  ['wall.fuzz'],
  `${COUNT} event streams and answers with broken places, in pieces: nothing is thrown`,
  async () => {
    const grammar = createGrammar(seeded(SEED + 1))
    for (let count = 0; count < COUNT; count++) {
      const answer = JSON.stringify({ id: '1', ok: grammar.chance(0.5), result: grammar.value() })
      const event = `id: ${grammar.text()}\nevent: ${grammar.text()}\ndata: ${answer}\n\n`
      const bytes = grammar.broken(Buffer.from(event))
      const cut = grammar.below(bytes.length)
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      const events: string[] = []
      const take = createSseReader({ event: (_, data) => events.push(data), id() {}, retry() {} })
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) if (piece.length > 0) controller.enqueue(new Uint8Array(piece))
          controller.close()
        },
      })
      await eachLine(body, take)
      for (const data of events) expect(() => readResponse(data), `stream ${count}`).not.toThrow()
    }
  },
)
