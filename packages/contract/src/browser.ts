export * from './limits/browser.ts'
export * from './limits/host/clients.ts'

/** The states of a job that has not ended; a test holds them to the table of states. */
export const activeJobStates: ReadonlySet<string> = new Set(['queued', 'running'])

/** The problem of a plugin that is `unavailable` although nothing is wrong: no app has asked for it yet. */
export const unaskedProblem = 'it is installed when an app first asks for it'

/** The problem of a published plugin whose user has no machine online: nothing is wrong with it. */
export const offlineProblem = 'no runner of this user is online'
/** The same of a plugin of another. */
export const unagreedProblem = 'it is installed when you agree that an app uses it'
