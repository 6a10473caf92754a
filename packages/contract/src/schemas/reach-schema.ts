import { limits } from '../limits/index.ts'
import { strictObject } from '../values/strict-object.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { folderFault, readReachedHost } from './reach.ts'

const LABEL = '[a-z0-9]([a-z0-9-]*[a-z0-9])?'
/** At least two labels, the last of which is no number: an address is not a name, and `*.com` would be everybody. */
const HOST = new RegExp(`^(\\*\\.)?(${LABEL}\\.)+[a-z]([a-z0-9-]*[a-z0-9])?(:[1-9]\\d{0,4})?$`, 'i')
const PORT_MAX = 65_535

const host = text(limits.REACH_HOST_MAX_CHARS)
  .refine((value) => HOST.test(value), {
    error: 'must be a host such as api.example.com, *.example.com or api.example.com:8443',
    abort: true,
  })
  .refine((value) => readReachedHost(value).port <= PORT_MAX, `must have a port of at most ${PORT_MAX}`)

const NAME = `(${LABEL}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?`
const PUBLIC_TCP = new RegExp(`^(${LABEL}\\.)+[a-z]([a-z0-9-]*[a-z0-9])?:[1-9]\\d{0,4}$`, 'i')
const OWN_TCP = new RegExp(`^(${NAME}|127\\.0\\.0\\.1):[1-9]\\d{0,4}$`, 'i')
const server = (form: RegExp, error: string) =>
  text(limits.REACH_HOST_MAX_CHARS)
    .refine((value) => form.test(value), { error, abort: true })
    .refine((value) => readReachedHost(value).port <= PORT_MAX, `must have a port of at most ${PORT_MAX}`)
const servers = (form: RegExp, error: string) =>
  z.array(server(form, error)).max(limits.REACH_TCP_MAX).optional()

const folder = text(limits.DISTRIBUTION_PATH_MAX_CHARS).superRefine((path, check) => {
  const message = folderFault(path)
  if (message !== null) check.addIssue({ code: 'custom', message })
})

/** What a plugin may reach beyond its own folder, as its manifest says. */
export const reachSchema = strictObject({
  /** `name`, `name:port`, `*.name` or `*.name:port`; the port is 443 where none is written. */
  hosts: z.array(host).max(limits.REACH_HOSTS_MAX).optional(),
  /** `name:port`: servers that are public, for clients that know no proxy. */
  tcp: servers(PUBLIC_TCP, 'must be a public server with its port such as db.example.com:5432'),
  /** Folders of the machine that the plugin runs on. */
  folders: z
    .array(
      strictObject({
        /** An absolute path; `${NAME}` in it is a variable of the plugin. */
        path: folder,
        /** Whether it may only read there. */
        access: z.enum(['read', 'write']),
      }),
    )
    .max(limits.REACH_FOLDERS_MAX)
    .optional(),
})

/** The same of a plugin that the owner of the machine configured, who may name servers of that and of its network. */
export const ownReachSchema = reachSchema.extend({
  /** `name:port`: also `localhost`, and names that only the machine and its network know. */
  tcp: servers(OWN_TCP, 'must be a server with its port such as db.example.com:5432 or localhost:5432'),
})
