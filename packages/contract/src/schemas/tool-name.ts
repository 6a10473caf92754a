import { limits } from '../limits/index.ts'

const NAME = new RegExp(`^[\\w.-]{1,${limits.TOOL_NAME_MAX_CHARS}}$`)

/** Whether a tool may have this name, which models, terminals and questions show as it is. */
export const isToolName = (name: string): boolean => NAME.test(name)

/** What the name of a tool must be, in words. */
export const toolNameRule = `must be 1 to ${limits.TOOL_NAME_MAX_CHARS} characters out of A-Z, a-z, 0-9, _, . and -`
