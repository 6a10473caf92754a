import type { HostMessage, LinkHead, LinkPlugin } from '../link/index.ts'

type Check = (value: unknown) => boolean
const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const plugin: Check = (value) => {
  const { id, version, author, distribution, frozen_at, values } = { ...(value as Partial<LinkPlugin>) }
  const isGiven = typeof values === 'object' && values !== null && Object.values(values).every(text)
  if (values !== undefined && !isGiven) return false
  const isNamed = text(id) && text(version) && optional(text)(author) && optional(number)(frozen_at)
  return isNamed && typeof distribution === 'object' && text(distribution?.type)
}

const work = {
  id: number,
  user_id: text,
  plugin,
  tool: text,
  timeout_ms: number,
  left_ms: number,
  max_result_bytes: number,
  sampling_token: optional(text),
}
/** The fields of each message of a host that are read here. */
const shapes: Readonly<Record<HostMessage['type'], Readonly<Record<string, Check>>>> = {
  challenge: { runner_id: text, nonce: text },
  welcome: {
    runner_id: text,
    name: text,
    user_id: text,
    epoch: number,
    token: text,
    ping_ms: number,
    silent_ms: number,
  },
  call: { ...work, invoke_id: text, grace_ms: number, app_id: optional(text), session: optional(text) },
  end_sessions: { user_id: optional(text), session: optional(text), plugin_id: optional(text) },
  job: { ...work, job_id: text },
  describe: { id: number, plugin, user_id: optional(text), left_ms: number },
  install: { id: number, plugin, left_ms: number },
  cancel: { id: number, reason: optional(text) },
  reply: { id: number },
  ping: {},
}
const byType = new Map<string, Readonly<Record<string, Check>>>(Object.entries(shapes))

/** A message of a host as it is meant; `null`: it is not one that this machine knows. */
export function readHostMessage(head: LinkHead): HostMessage | null {
  const shape = byType.get(head.type)
  const fits = shape && Object.entries(shape).every(([field, check]) => check(head[field]))
  return fits ? (head as unknown as HostMessage) : null
}
