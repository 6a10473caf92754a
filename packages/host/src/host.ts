import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Users } from './access/users/users.ts'
import type { Apps } from './apps/apps.ts'
import type { Listening } from './edge/http/listen.ts'
import type { HostFacts } from './host-facts.ts'
import type { UserRunners } from './machines/user-runners.ts'
import type { Plugins } from './plugins/deployments/plugins.ts'
import type { Publishing } from './plugins/publishing/publishing.ts'
import type { Windows } from './windows/windows.ts'
import type { UserJobs } from './work/jobs/jobs.ts'
import type { UserSessions } from './work/sessions/sessions.ts'

/** A running host: its two fronts, and the programmatic twins of its routes. */
export interface Host {
  /**
   * Listens for HTTP; port 0 takes a free one. `address` is loopback unless it is named.
   * Errors: the development sign-in refuses any address but loopback; a port in use is Node's `EADDRINUSE`.
   */
  listen(port: number, address?: string): Promise<Listening>
  /** Takes an upgrade request of a server that embeds the host: the call socket of a page, the link of a machine. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Handles one request, for embedding in any server that speaks the web's `Request` and `Response`. */
  fetch(request: Request): Promise<Response>
  /** Ends what is under way within `SHUTDOWN_MS`, then every stream, process, timer and port. Twice is harmless. */
  close(): Promise<void>
  /** What the development sign-in asks for, as Bearer or in the URL `/?token=…`; `null` on a host without it. */
  readonly startToken: string | null
  /** What it serves, keeps and lacks, in words; its logger writes it once as one line. */
  readonly facts: HostFacts
  /** Apps, their versions and installs. */
  readonly apps: Apps
  /** Windows: open, list and close them, and mint their tokens. */
  readonly windows: Windows
  /** The users that the host knows. */
  readonly users: Users
  /** The plugins that apps may call. */
  readonly plugins: Plugins
  /** Publishing of plugins by users. */
  readonly publishing: Publishing
  /** Machines that users enrol, and their tokens. */
  readonly runners: UserRunners
  /** Jobs of a user over all apps. */
  readonly jobs: UserJobs
  /** Agent sessions of a user over all apps. */
  readonly sessions: UserSessions
}
