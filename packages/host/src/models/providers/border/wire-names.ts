import { createHash } from 'node:crypto'

/** The names that every server of models takes. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const NAME_CHARS = 64
const HASH_CHARS = 8

/**
 * The name of a tool as servers of models take it: itself, or its end behind a hash of it. The same for the same name,
 * so that a model finds its earlier calls under it.
 */
export function wireNameOf(name: string): string {
  if (PLAIN.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS)
  const end = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(HASH_CHARS + 2 - NAME_CHARS)
  return `t${hash}_${end}`
}

/** Opens the names of the tools of one request, in both directions; `short`: what a tool is called in place of its name. */
export function openWireNames(names: readonly string[], short: (name: string) => string = (name) => name) {
  const owns = new Map<string, string>()
  const wires = new Map<string, string>()
  // One that keeps its name is not displaced by the short name of another.
  const isPlain = (name: string) => Number(PLAIN.test(short(name)))
  for (const name of names.toSorted((a, b) => isPlain(b) - isPlain(a))) {
    let wire = wireNameOf(short(name))
    for (let nth = 2; owns.has(wire) && owns.get(wire) !== name; nth += 1)
      wire = wireNameOf(`${short(name)} ${nth}`)
    owns.set(wire, name)
    wires.set(name, wire)
  }
  return {
    /** Whether a tool goes by another name. */
    isChanged: [...wires].some(([name, wire]) => name !== wire),
    /** The name for the server, also of a tool that this request does not have. */
    wire: (name: string): string => wires.get(name) ?? wireNameOf(name),
    /** The name of the tool that the server calls; one that nobody has stays as it is. */
    own: (wire: string): string => owns.get(wire) ?? wire,
  }
}

/** The names of the tools of one request. */
export type WireNames = ReturnType<typeof openWireNames>
