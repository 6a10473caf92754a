import type { Grants } from '@svc/contract'

/** One thing that a user allows an app. */
export interface GrantItem {
  /** Names it among the grants of an install. */
  readonly id: string
  readonly sentence: string
}

const switches = {
  image_grant: 'Have images made, on your account',
  upload_grant: 'Store files of yours on this host',
  web_grant: 'Read pages of the web through the host',
  credentials_grant: 'Ask you for credentials that its plugins need, and see which are there',
} as const satisfies Partial<Record<keyof Grants, string>>

type Switch = keyof typeof switches
const switchNames = Object.keys(switches) as Switch[]

const scopes: ReadonlyMap<string, string> = new Map([
  ['shared', 'Read and write what your apps keep in common (scope shared)'],
])
const caps = {
  max_tokens_per_call: 'tokens in one model call',
  max_runs_per_day: 'agent runs in a day',
  max_concurrent_runs: 'agent runs at once',
} as const

/** The permissions among grants, one line each, in a fixed order. */
export function grantItems(grants: Grants): readonly GrantItem[] {
  const { agent } = grants
  return [
    ...switchNames
      .filter((name) => grants[name] === true)
      .map((name) => ({ id: name, sentence: switches[name] })),
    ...(grants.allowed_scopes ?? []).map((scope) => ({
      id: `scope:${scope}`,
      sentence: scopes.get(scope) ?? `Read and write the scope ${scope}`,
    })),
    ...(agent?.platform_tools ?? []).map((tool) => ({
      id: `tool:${tool}`,
      sentence: `Let its agent use the host’s tool ${tool}`,
    })),
    ...(agent?.inherit_host_tools === true
      ? [{ id: 'inherit', sentence: 'Let its agent use the tools of your other plugins' }]
      : []),
    ...(grants.models ?? []).map((model) => ({ id: `model:${model}`, sentence: `Use the model ${model}` })),
  ]
}

/** What bounds an app: at most so much. */
export const capTexts = ({ quota_caps = {} }: Grants): readonly string[] =>
  (Object.keys(caps) as (keyof typeof caps)[])
    .filter((name) => quota_caps[name] !== undefined)
    .map((name) => `At most ${quota_caps[name]} ${caps[name]}`)

/** The permissions that are asked for and were not given. */
export function extraItems(given: Grants, asked: Grants): readonly GrantItem[] {
  const has = new Set(grantItems(given).map(({ id }) => id))
  return grantItems(asked).filter(({ id }) => !has.has(id))
}

/** Of two sets of grants the permissions with these ids; caps stay as they were given. */
export function chosenGrants(given: Grants, asked: Grants, ids: ReadonlySet<string>): Grants {
  const listed = (prefix: string, ...lists: (readonly string[] | undefined)[]) =>
    [...new Set(lists.flatMap((list) => list ?? []))].filter((one) => ids.has(`${prefix}:${one}`))
  const allowed_scopes = listed('scope', given.allowed_scopes, asked.allowed_scopes)
  const platform_tools = listed('tool', given.agent?.platform_tools, asked.agent?.platform_tools)
  const models = listed('model', given.models, asked.models)
  const isTold = given.agent !== undefined || asked.agent !== undefined
  return {
    ...Object.fromEntries(switchNames.filter((name) => ids.has(name)).map((name) => [name, true])),
    ...(allowed_scopes.length > 0 && { allowed_scopes }),
    ...(isTold && { agent: { platform_tools, inherit_host_tools: ids.has('inherit') } }),
    ...(models.length > 0 && { models }),
    ...(given.quota_caps && { quota_caps: given.quota_caps }),
  }
}
