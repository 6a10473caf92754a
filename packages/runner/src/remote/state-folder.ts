import { homedir } from 'node:os'
import path from 'node:path'

/** Returns the folder in which svc keeps what is this user's alone: `$XDG_STATE_HOME/svc`, or `~/.local/state/svc`. */
export const stateFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  path.join(env.XDG_STATE_HOME || path.join(env.HOME || homedir(), '.local/state'), 'svc')
