import { access } from './access.ts'
import { apps } from './apps.ts'
import { clients } from './clients-table.ts'
import { data } from './data.ts'
import { events } from './events.ts'
import { hosts } from './hosts.ts'
import { jobs } from './jobs.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { processes } from './processes.ts'
import { rates } from './rates.ts'
import { requests } from './requests.ts'
import { runs } from './runs.ts'
import { sessions } from './sessions.ts'
import { tools } from './tools.ts'
import { windows } from './windows.ts'

/** Numbers that an operator may change: those that a host and its runner read at run time. */
export const host = {
  ...access,
  ...windows,
  ...requests,
  ...rates,
  ...tools,
  ...jobs,
  ...processes,
  ...sessions,
  ...runs,
  ...models,
  ...events,
  ...data,
  ...apps,
  ...plugins,
  ...hosts,
  ...clients,
} as const
