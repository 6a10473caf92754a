import type { Body } from './body.ts'

/** What a request cannot be without. */
const needed: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'messages.role',
  'messages.content',
  'messages.tool_calls',
  'messages.tool_calls.id',
  'messages.tool_calls.type',
  'messages.tool_calls.function',
  'messages.tool_calls.function.name',
  'messages.tool_calls.function.arguments',
  'messages.tool_call_id',
  'messages.content.type',
  'messages.content.text',
  'messages.content.image_url',
  'messages.content.image_url.url',
  'tools',
  'tools.type',
  'tools.function',
  'tools.function.name',
  'tools.function.parameters',
  'stream',
])

/** Every path in a body that it may go without; lists are left out of a path: `tools.function.strict`. */
export function freePaths(body: Body): Set<string> {
  const paths = new Set<string>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, path)
    else if (typeof value === 'object' && value !== null && path !== 'tools.function.parameters')
      for (const [name, member] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`
        if (member === undefined) continue
        if (!needed.has(at)) paths.add(at)
        visit(member, at)
      }
  }
  visit(body, '')
  return paths
}

/** A value without what is at a path. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (Array.isArray(value)) return value.map((one) => without(one, path))
  if (typeof value !== 'object' || value === null || name === undefined || !Object.hasOwn(value, name))
    return value
  const { [name]: member, ...others } = value as Record<string, unknown>
  return rest.length === 0 ? others : { ...value, [name]: without(member, rest) }
}
