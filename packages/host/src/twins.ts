import { routes } from '@svc/contract/routes'
import { inShape } from './kernel/in-shape.ts'
import type { UserRunners } from './machines/user-runners.ts'
import type { OpenPublishing, Publishing } from './plugins/publishing/publishing.ts'

/** Publishing for who embeds the host: what comes in is read by the rows of the routes. */
export const publishingTwin = (publishing: OpenPublishing): Publishing => ({
  ...publishing,
  mint: async (user, body) => publishing.mint(user, inShape(routes['plugs.mint'].body, body)),
  commit: async (user, draft, body, options) =>
    publishing.commit(user, draft, inShape(routes['plugs.commit'].body, body), options),
  create: async (user, body, options) =>
    publishing.create(user, inShape(routes['plugs.create'].body, body), options),
  describe: async (user, body, options) =>
    publishing.describe(user, inShape(routes['plugs.describe'].body, body), options),
  own: async (user, query = {}) => publishing.own(user, inShape(routes['plugs.own'].query, query)),
  edit: async (user, tool, body) => publishing.edit(user, tool, inShape(routes['plugs.edit'].body, body)),
  visible: async (user, query = {}) => publishing.visible(user, inShape(routes['plugs.list'].query, query)),
  publish: async (user, tool, body) =>
    publishing.publish(user, tool, inShape(routes['plugs.publish'].body, body)),
  preview: async (user, tool, body) =>
    publishing.preview(user, tool, inShape(routes['plugs.publish'].body, body)),
  mark: async (user, tool, version, body) =>
    publishing.mark(user, tool, version, inShape(routes['plugs.mark'].body, body)),
})

/** The machines for who embeds the host, likewise. */
export const runnersTwin = (runners: UserRunners): UserRunners => ({
  ...runners,
  enrol: async (user, body) => runners.enrol(user, inShape(routes['runners.enrol'].body, body)),
})
