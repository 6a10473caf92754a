import { nanoid } from 'nanoid'
import { type Fields, fieldsOf, textOf } from '../members.ts'
import type { ModelPart } from '../part-reader.ts'
import { callArguments, isJson } from './call-arguments.ts'
import { calledName } from './called-name.ts'

/** A call as far as it has come. */
interface Call {
  id: string | null
  name: string
  /** All pieces of its arguments, and the last one. */
  text: string
  last: string
  signature: string | null
}

/** What a piece of a call tells. */
interface Piece {
  /** Its place in the answer. */
  readonly index: number | null
  readonly id: string | null
  readonly name: string | null
  readonly text: string
}

/**
 * Opens what joins the tool calls of an answer, whose pieces come interleaved; they are added whole when it ends. Servers
 * leave out the index, the id or both, use one index for all calls, send an id or the name with each piece, or the name in
 * pieces. `provider` names what a call tells of it alone, `tools` what may be called.
 */
export function openToolCalls(provider: string, tools: ReadonlySet<string>, add: (part: ModelPart) => void) {
  const calls: Call[] = []
  const byIndex = new Map<number, Call>()

  function callOf(piece: Piece): Call {
    const known = knownCall(piece)
    if (known && !isOther(known, piece)) return known
    const call: Call = { id: piece.id, name: '', text: '', last: '', signature: null }
    calls.push(call)
    if (piece.index !== null) byIndex.set(piece.index, call)
    return call
  }

  function knownCall({ index, id, name }: Piece): Call | undefined {
    if (index !== null) return byIndex.get(index)
    const named = id === null ? undefined : calls.find((call) => call.id === id)
    return named ?? (name === null ? calls.at(-1) : undefined)
  }

  return {
    /** Whether there are any. */
    hasCalls: (): boolean => calls.length > 0,
    /** Takes what one event has of a call. */
    add(said: Fields): void {
      const piece = pieceOf(said)
      if (piece.id === null && piece.name === null && piece.text === '') return
      const call = callOf(piece)
      call.id ??= piece.id
      call.name = nameOf(call, piece)
      call.text += piece.text
      if (piece.text.trim() !== '') call.last = piece.text
      call.signature ??= textOf(fieldsOf(fieldsOf(said.extra_content).google).thought_signature)
    },
    /** Adds the calls. `false`: one of them has no name, and nobody knows what it calls. */
    end(): boolean {
      const ids = new Set<string>()
      for (const { id: given, name: said, text, last, signature } of calls) {
        if (said === '') return false
        const name = calledName(said, tools)
        const id = given === null || ids.has(given) ? nanoid() : given
        ids.add(id)
        const input = callArguments(text, last)
        add({ type: 'tool-input-start', id, toolName: name })
        add({ type: 'tool-input-delta', id, delta: input })
        add({ type: 'tool-input-end', id })
        add({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input,
          ...(signature !== null && { providerMetadata: { [provider]: { thoughtSignature: signature } } }),
        })
      }
      return true
    },
  }
}

const calledIn = (said: Fields): Fields => (said.function == null ? said : fieldsOf(said.function))

/** The arguments of a call, by the names that templates of models and other protocols have for them. */
export function argumentsOf(said: Fields): unknown {
  const { arguments: given, parameters, args, input } = calledIn(said)
  return given ?? parameters ?? args ?? input
}

function pieceOf(said: Fields): Piece {
  const called = calledIn(said)
  const given = argumentsOf(said)
  const index = Number.parseInt(String(said.index ?? called.index), 10)
  return {
    index: Number.isNaN(index) ? null : index,
    id: typeof said.id === 'number' ? String(said.id) : textOf(said.id),
    name: textOf(called.name),
    text: typeof given === 'string' ? given : given == null ? '' : JSON.stringify(given),
  }
}

/** Whether a piece in the place of a call begins another one. */
function isOther(call: Call, { id, name, text }: Piece): boolean {
  if (name === null || call.name === '') return false
  if (id !== null && call.id !== null && id !== call.id) return name !== call.name || isJson(call.text)
  if (name !== call.name) return isJson(call.text)
  return id === null && call.text !== '{}' && text !== call.text && isJson(call.text) && isJson(text)
}

/** The name with what a piece has of it: a repetition, all that is known so far, or more of it. */
function nameOf(call: Call, { name }: Piece): string {
  if (name === null || name === call.name) return call.name
  if (name.startsWith(call.name)) return name
  return call.text === '' ? call.name + name : call.name
}
