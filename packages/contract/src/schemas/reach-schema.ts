import { limits } from '../limits/index.ts'
import { isDataPath } from '../values/absolute-path.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { absolutePath } from './distribution.ts'
import { readReachedHost } from './reach.ts'

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

const folder = absolutePath.refine(isDataPath, 'must be a folder of data, not one of the system')

/** What a plugin may reach beyond its own folder, as its manifest says. */
export const reachSchema = z.strictObject({
  /** `name`, `name:port`, `*.name` or `*.name:port`; the port is 443 where none is written. */
  hosts: z.array(host).max(limits.REACH_HOSTS_MAX).optional(),
  /** Folders of the machine that the plugin runs on. */
  folders: z
    .array(
      z.strictObject({
        /** An absolute path. */
        path: folder,
        /** Whether it may only read there. */
        access: z.enum(['read', 'write']),
      }),
    )
    .max(limits.REACH_FOLDERS_MAX)
    .optional(),
})
