import { didYouMean, limits as fixed, neededNames, refuse, wrongArg } from '@svc/contract'
import { onlyName } from '@svc/contract/needs'
import { pathFault } from '@svc/contract/reach'
import type { BodyOf, routes } from '@svc/contract/routes'
import type * as z from '@svc/contract/zod'
import { each } from '@svc/state'
import { plugs } from '../../catalog/plug-row.ts'
import {
  forgetValues,
  type GivenValue,
  type PlugValuesRow,
  plugValues,
  plugValuesId,
} from '../../catalog/plug-values.ts'
import { installs } from '../../catalog/records.ts'
import { choose, sourceOf } from '../deployments/choose.ts'
import { contentOfLive, contentOfVersion, type PluginContent } from '../deployments/content.ts'
import { declaredIn } from '../deployments/declared.ts'
import { needsOfContent, variablesOf } from '../deployments/given.ts'
import { type Deployable, isDeployable } from '../deployments/plugin-state.ts'
import type { PluginServices } from '../services.ts'

/** What the route returns. */
type PlugVariables = z.output<(typeof routes)['plugs.variables']['answer']>
type ShownVariable = PlugVariables['variables'][number]
/** Values by name; `null` takes one back. */
type NewValues = BodyOf<(typeof routes)['plugs.set_variables']>['values']

/** What users give the variables of published plugins: each for himself, whatever app uses the plugin. */
export function openVariables({
  clock,
  copies,
  limits,
  published,
  store,
}: Pick<PluginServices, 'clock' | 'copies' | 'limits' | 'published' | 'store'>) {
  const source = sourceOf(copies)

  /** All that a user may run of a plugin: the own live record, the offered version, and what his apps use. */
  async function contentsOf(userId: string, toolId: string): Promise<readonly Deployable[]> {
    const plug = await copies.plugs.get(toolId)
    const found: (PluginContent | undefined)[] = []
    if (plug && plug.row.removed_at === null) {
      const offered = await source.offered(toolId)
      if (plug.row.owner === userId) found.push(contentOfLive(toolId, plug.row, limits))
      else if (plug.row.visibility === 'public' && offered)
        found.push(contentOfVersion(plug.row.owner, offered.row, limits))
      for await (const { row } of each(store, installs, 'byUser', { eq: [userId] })) {
        const version = await copies.versions.get(row.version_id)
        const declared = version && declaredIn(version.row.manifest).byName.get(toolId)
        if (declared) found.push(await choose(source, { userId, version: version.row }, declared, limits))
      }
    }
    const contents = new Map(found.filter(isDeployable).map((one) => [one.digest, one]))
    if (contents.size === 0)
      throw refuse('not_found', `there is no plugin ${JSON.stringify(toolId)} that this user may run`)
    return [...contents.values()]
  }

  const rowOf = (userId: string, toolId: string) => store.get(plugValues, plugValuesId(userId, toolId))

  async function shown(
    toolId: string,
    contents: readonly Deployable[],
    given: PlugValuesRow['values'],
  ): Promise<PlugVariables> {
    const lookUp = (name: string) => (Object.hasOwn(given, name) ? given[name]?.value : undefined)
    const missing = new Set(contents.flatMap((one) => neededNames(needsOfContent(one), lookUp)))
    return {
      tool_id: toolId,
      name: (await copies.plugs.get(toolId))?.row.name ?? toolId,
      variables: [...named(contents)].map(([name, variable]): ShownVariable => {
        const one = Object.hasOwn(given, name) ? given[name] : undefined
        const secret = variable.secret || one?.secret === true
        return { ...variable, secret, is_set: one !== undefined, value: secret ? null : (one?.value ?? null) }
      }),
      missing: [...missing],
    }
  }

  /** What is kept after some values were given or taken back. Errors: `invalid_arg`. */
  function merged(contents: readonly Deployable[], before: PlugValuesRow['values'], values: NewValues) {
    const variables = named(contents)
    const next = new Map<string, GivenValue>(Object.entries(before).filter(([name]) => variables.has(name)))
    for (const [name, value] of Object.entries(values)) {
      const variable = variables.get(name)
      const path = `values.${name}`
      if (!variable)
        throw wrongArg(path, `is no variable of this plugin${didYouMean(name, variables.keys())}`, {
          variables: [...variables.keys()],
        })
      if (value === null) next.delete(name)
      else {
        const fault = valueFault(value, variable)
        if (fault !== null) throw wrongArg(path, fault)
        next.set(name, { value, secret: variable.secret })
      }
    }
    const kept = Object.fromEntries(next)
    const bytes = Buffer.byteLength(
      JSON.stringify(Object.fromEntries([...next].map(([name, { value }]) => [name, value]))),
    )
    const max = fixed.PLUG_VALUES_MAX_BYTES
    if (bytes > max) throw wrongArg('values', `must have at most ${max} bytes of JSON together, got ${bytes}`)
    return kept
  }

  /** Writes what a user gave, again where another write came first. Errors: `quota_exceeded`, those of `merged`. */
  async function write(userId: string, toolId: string, contents: readonly Deployable[], values: NewValues) {
    const id = plugValuesId(userId, toolId)
    for (;;) {
      const before = await store.get(plugValues, id)
      const row: PlugValuesRow = {
        user_id: userId,
        tool_id: toolId,
        values: merged(contents, before?.row.values ?? {}, values),
        updated_at: clock.now(),
      }
      const max = limits.PLUG_VALUES_PER_USER
      const caps = [{ name: 'plugins', index: 'byUser', eq: [userId], max }] as const
      const done = before
        ? await store.swap(plugValues, id, before.revision, row)
        : await store.insert(plugValues, id, row, { caps })
      if (done.ok) {
        copies.plugValues.drop(id, done.record)
        return row
      }
      if ('full' in done)
        throw refuse('quota_exceeded', `a user may give values to at most ${max} plugins`, {
          limit: 'PLUG_VALUES_PER_USER',
          max,
        })
    }
  }

  return {
    /** The variables of a plugin, and what the user gave them. Errors: `not_found`. */
    async get(userId: string, toolId: string): Promise<PlugVariables> {
      const contents = await contentsOf(userId, toolId)
      return shown(toolId, contents, (await rowOf(userId, toolId))?.row.values ?? {})
    },
    /** Gives variables values; what is not named stays. Errors: `not_found`, `invalid_arg`, `quota_exceeded`. */
    async set(userId: string, toolId: string, values: NewValues): Promise<PlugVariables> {
      const contents = await contentsOf(userId, toolId)
      const row = await write(userId, toolId, contents, values)
      // A plugin that was removed meanwhile keeps nothing.
      if ((await store.get(plugs, toolId))?.row.removed_at !== null)
        await forgetValues({ copies, store }, toolId)
      await published.given(userId, contents)
      return shown(toolId, contents, row.values)
    },
  }
}

/** See `openVariables`. */
export type Variables = ReturnType<typeof openVariables>

/** The variables of several contents of a plugin; of one that all have, as the first says. */
function named(contents: readonly Deployable[]) {
  const all = new Map<string, Omit<ShownVariable, 'is_set' | 'value'>>()
  for (const content of contents) {
    const needs = needsOfContent(content)
    const needed = new Set(neededNames(needs))
    for (const name of variablesOf(content)) {
      const one = needs.env?.[name]
      if (typeof one !== 'object') continue
      const folder = content.reach?.folders?.find(({ path }) => onlyName(path) === name)
      const before = all.get(name)
      all.set(name, {
        name,
        description: before?.description ?? one.description ?? null,
        secret: one.secret === true || before?.secret === true,
        required: needed.has(name) || before?.required === true,
        default: before?.default ?? one.default ?? null,
        folder: before?.folder ?? folder?.access ?? null,
      })
    }
  }
  return all
}

/** Lines and tabs, which keys in files have; no other character that nobody sees. */
const UNSEEN = /[^\P{Cc}\n\r\t]/u

/** What is wrong with a value, without it: it may be a secret. */
function valueFault(value: string, { folder }: Pick<ShownVariable, 'folder'>): string | null {
  if (UNSEEN.test(value)) return 'must not hold control characters'
  return folder === null ? null : pathFault(value)
}
