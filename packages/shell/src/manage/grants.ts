import type { AgreedPlug, BrowserPermission, Grants } from '@svc/contract'
import { publisherText } from '@svc/contract/publisher'
import { visibleLine } from '@svc/contract/visible-text'
import type { AppPlug } from '../state/install.ts'

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

/** Origins that an app may reach, by what it may do there. */
const reached = {
  connect_src: (origin: string) => `Send data to ${nameOf(origin)} and read from it`,
  img_src: (origin: string) => `Load images from ${nameOf(origin)}, which learns of it`,
} as const satisfies Partial<Record<keyof Grants, (origin: string) => string>>
const reachedNames = Object.keys(reached) as (keyof typeof reached)[]
const nameOf = (origin: string) => origin.replace(/^https:\/\//, '')

/** What an app may ask of its user's browser. */
const browserSentences: Readonly<Record<BrowserPermission, string>> = {
  'clipboard-write': 'Put things on your clipboard',
  download: 'Offer you files to save',
  fullscreen: 'Fill your screen, until you press Escape',
  print: 'Print what it shows',
}

type Switch = keyof typeof switches
const switchNames = Object.keys(switches) as Switch[]

const scopes: ReadonlyMap<string, string> = new Map([
  ['shared', 'Read and write what your apps share with each other'],
])
const caps = {
  max_tokens_per_call: 'tokens in one model call',
  max_runs_per_day: 'agent runs in a day',
  max_concurrent_runs: 'agent runs at once',
} as const

const plugId = ({ tool_id, version, digest }: AgreedPlug) => `plug:${tool_id}@${digest ?? version}`

/** What it means to agree to a plugin, in the words of its terms where they are still those. */
function plugSentence(plug: AgreedPlug, plugs: readonly AppPlug[]): string {
  const known = plugs.find(({ tool_id }) => tool_id === plug.tool_id)
  const name = known?.name ?? plug.tool_id
  const terms = known?.terms
  if (!terms || terms.digest !== plug.digest)
    return `Run the plugin ${name} ${plug.version}, which is another by now`
  const { publisher, version, distribution, needs, reach } = terms
  return `Run the plugin ${name} ${version} by ${publisherText(publisher)} on your machine: ${distribution}. ${needs && `${needs} `}${reach}`
}

/** The permissions among grants, one line each, in a fixed order; `plugs` are the plugins of the version in words. */
export function grantItems(grants: Grants, plugs: readonly AppPlug[] = []): readonly GrantItem[] {
  const { agent } = grants
  return [
    ...switchNames
      .filter((name) => grants[name] === true)
      .map((name) => ({ id: name, sentence: switches[name] })),
    ...reachedNames.flatMap((name) =>
      (grants[name] ?? []).map((origin) => ({ id: `${name}:${origin}`, sentence: reached[name](origin) })),
    ),
    ...(grants.browser ?? []).map((name) => ({ id: `browser:${name}`, sentence: browserSentences[name] })),
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
    ...(grants.plugs ?? []).map((plug) => ({ id: plugId(plug), sentence: plugSentence(plug, plugs) })),
  ].map(({ id, sentence }) => ({ id, sentence: visibleLine(sentence) }))
}

/** What bounds an app: at most so much. */
export const capTexts = ({ quota_caps = {} }: Grants): readonly string[] =>
  (Object.keys(caps) as (keyof typeof caps)[])
    .filter((name) => quota_caps[name] !== undefined)
    .map((name) => `At most ${quota_caps[name]} ${caps[name]}`)

/** The permissions that are asked for and were not given. */
export function extraItems(given: Grants, asked: Grants, plugs?: readonly AppPlug[]): readonly GrantItem[] {
  const has = new Set(grantItems(given).map(({ id }) => id))
  return grantItems(asked, plugs).filter(({ id }) => !has.has(id))
}

/** Of two sets of grants the permissions with these ids; caps stay as they were given. */
export function chosenGrants(given: Grants, asked: Grants, ids: ReadonlySet<string>): Grants {
  const listed = <Name extends string>(prefix: string, ...lists: (readonly Name[] | undefined)[]) =>
    [...new Set(lists.flatMap((list) => list ?? []))].filter((one) => ids.has(`${prefix}:${one}`))
  const allowed_scopes = listed('scope', given.allowed_scopes, asked.allowed_scopes)
  const platform_tools = listed('tool', given.agent?.platform_tools, asked.agent?.platform_tools)
  const models = listed('model', given.models, asked.models)
  const plugs = new Map([...(asked.plugs ?? []), ...(given.plugs ?? [])].map((plug) => [plugId(plug), plug]))
  const agreed = [...plugs].filter(([id]) => ids.has(id)).map(([, plug]) => plug)
  const never = (given.plugs_never ?? []).filter((id) => !agreed.some(({ tool_id }) => tool_id === id))
  const connect_src = listed('connect_src', given.connect_src, asked.connect_src)
  const img_src = listed('img_src', given.img_src, asked.img_src)
  const browser = listed('browser', given.browser, asked.browser)
  const isTold = given.agent !== undefined || asked.agent !== undefined
  return {
    ...Object.fromEntries(switchNames.filter((name) => ids.has(name)).map((name) => [name, true])),
    ...(connect_src.length > 0 && { connect_src }),
    ...(img_src.length > 0 && { img_src }),
    ...(browser.length > 0 && { browser }),
    ...(allowed_scopes.length > 0 && { allowed_scopes }),
    ...(isTold && { agent: { platform_tools, inherit_host_tools: ids.has('inherit') } }),
    ...(models.length > 0 && { models }),
    ...(agreed.length > 0 && { plugs: agreed }),
    ...(never.length > 0 && { plugs_never: never }),
    ...(given.quota_caps && { quota_caps: given.quota_caps }),
  }
}
