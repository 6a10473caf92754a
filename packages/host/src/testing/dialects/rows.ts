import { openFakeTool } from '../fake-tool.ts'
import type { Dialect, User } from './dialect.ts'
import type { SentBody, SentMessage } from './reply.ts'

/** One tool that answers at once. */
export const tools = () => [openFakeTool()]
/** How chat templates refuse roles that do not take turns. */
export const alternate = 'Conversation roles must alternate user/assistant/user/assistant/...'

/** The messages that are not the system's. */
export const said = ({ messages }: SentBody) => messages.filter(({ role }) => role !== 'system')
/** Roles take turns, from the user's on; tools may answer in between. */
export const takesTurns = (body: SentBody): boolean =>
  said(body).every(({ role }, at, all) => role === 'tool' || role !== all[at - 1]?.role) &&
  said(body)[0]?.role === 'user'
/** Whether a message has that role. */
export const has = (body: SentBody, role: string): boolean =>
  body.messages.some((message) => message.role === role)
/** Whether each message is so. */
export const every = (body: SentBody, judge: (message: SentMessage) => boolean): boolean =>
  body.messages.every(judge)
/** The names of the tools that are offered or were called. */
export const namesOf = (body: SentBody) => [
  ...(body.tools ?? []).map((tool) => tool.function.name),
  ...body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)),
]
/** Says something and then something else. */
export const twice = async (user: User) => [await user.say(), await user.say('and now?')]
/** What that comes to. */
export const both = [{ text: 'Hello' }, { text: 'Hello' }]
/** Cancels the first of two runs. */
export const cancelled = {
  play: async (user: User) => [await user.say('a', { cancel: true }), await user.say('b')],
}

/** One whose rule every request of ours keeps. */
export const kept = (
  servers: string,
  does: string,
  we: string,
  more: Pick<Dialect, 'script'> & Partial<Dialect>,
): Dialect => ({
  servers,
  does,
  we,
  ...more,
})

/** What is learnt costs one request, and the next question none. */
export const learnt = {
  play: async (user) => [await user.say(), await user.say('and now?')],
  gets: [{ text: 'Hello' }, { text: 'Hello' }],
  asked: 3,
} satisfies Partial<Dialect>

/** Whether a body has no such field. */
export const lacks = (field: string) => (body: SentBody) => !(field in body)
