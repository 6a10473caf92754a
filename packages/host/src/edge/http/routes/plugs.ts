import type { RouteName } from '@svc/contract/routes'
import { whileThere } from '../../handlers/context.ts'
import { audienceOf } from './audience.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** Publishing of plugins: drafts, plugins and their versions. */
export function plugHandlers({ services }: RouteParts): HandlersOf<Extract<RouteName, `plugs.${string}`>> {
  const { publishing } = services
  const { judgePlugin } = audienceOf({ services })
  /** What may have a plugin described ends with who asked for it. */
  const whileAsked = <T>({ signal }: Request, work: (options: { signal: AbortSignal }) => Promise<T>) =>
    whileThere({ gone: () => signal }, (there) => work({ signal: there }))
  return {
    'plugs.list': ({ userId, query }) => publishing.visible(userId, query),
    'plugs.mint': async ({ userId, body }) => publishing.mint(userId, await body()),
    async 'plugs.commit'({ raw, userId, params, body }) {
      const input = await body()
      judgePlugin(input.visibility)
      return whileAsked(raw, (options) => publishing.commit(userId, params.draft_id, input, options))
    },
    async 'plugs.create'({ raw, userId, body }) {
      const input = await body()
      judgePlugin(input.visibility)
      return whileAsked(raw, (options) => publishing.create(userId, input, options))
    },
    async 'plugs.describe'({ raw, userId, body }) {
      const input = await body()
      return whileAsked(raw, (options) => publishing.describe(userId, input, options))
    },
    'plugs.own': ({ userId, query }) => publishing.own(userId, query),
    'plugs.get': ({ userId, params }) => publishing.get(userId, params.tool_id),
    async 'plugs.edit'({ userId, params, body }) {
      const input = await body()
      judgePlugin(input.visibility)
      return publishing.edit(userId, params.tool_id, input)
    },
    async 'plugs.remove'({ userId, params }) {
      await publishing.remove(userId, params.tool_id)
      return {}
    },
    async 'plugs.publish'({ userId, params, query, body }) {
      const publish = query.dry_run === '1' ? publishing.preview : publishing.publish
      return publish(userId, params.tool_id, await body())
    },
    'plugs.versions': async ({ userId, params }) => ({
      versions: await publishing.versions(userId, params.tool_id),
    }),
    'plugs.variables': ({ userId, params }) => services.variables.get(userId, params.tool_id),
    'plugs.set_variables': async ({ userId, params, body }) =>
      services.variables.set(userId, params.tool_id, (await body()).values),
    'plugs.mark': async ({ userId, params, body }) =>
      publishing.mark(userId, params.tool_id, params.version, await body()),
  }
}
