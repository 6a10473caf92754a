import * as z from '../values/zod.ts'
import { files } from './files.ts'
import { storage } from './storage.ts'

/** A tool of the host itself that a session of an agent may have. */
export interface PlatformToolRow<Args extends z.ZodObject = z.ZodObject> {
  /** What a model reads to know when to call it. */
  readonly description: string
  /**
   * It reaches nothing but the app's own data: an app whose manifest names no platform tools may be granted it. Any
   * other must be named under `ui.host_api.agent.tools`.
   */
  readonly dev_safe: boolean
  /** It writes, deletes, pays or sends: each call waits for the approval of the user. Default: false. */
  readonly destructive?: boolean
  /** The schema of its arguments. */
  readonly args: Args
}

const row = <const Row extends PlatformToolRow>(tool: Row): Row => tool

/** Writes of a model are plain: what only a program makes use of stays with the method. */
const { key, value, scope, if_match, ttl_seconds } = storage.set.args.shape

/** The platform tools of every host; `createHost({ platformTools })` adds others. */
export const platformTools = {
  time_now: row({
    description: 'Tells the time now, in UTC.',
    dev_safe: true,
    args: z.object({}),
  }),
  storage_get: row({
    description: 'Reads the value that the app stored under a key.',
    dev_safe: true,
    args: storage.get.args,
  }),
  storage_set: row({
    description:
      'Stores a JSON value of the app under a key, replacing what was there; with if_match only if the stored etag is the same.',
    dev_safe: true,
    destructive: true,
    args: z.object({ key, value, scope, if_match, ttl_seconds }),
  }),
  storage_list: row({
    description: 'Lists the keys that the app stored, in order; next_cursor as cursor gives the next page.',
    dev_safe: true,
    args: storage.list.args,
  }),
  storage_delete: row({
    description: 'Removes the value that the app stored under a key.',
    dev_safe: true,
    destructive: true,
    args: storage.delete.args,
  }),
  files_read: row({
    description:
      'Reads a file of the app as text. Much of it comes in parts: next_offset as offset gives the next.',
    dev_safe: true,
    args: z.object({
      path: files.read.args.shape.path,
      scope: files.read.args.shape.scope,
      offset: z.int().min(0).default(0),
    }),
  }),
  web_fetch: row({
    description:
      'Reads a public https:// URL, as text and unchanged. Long text comes in parts: pass next_offset as offset to get the next one.',
    dev_safe: false,
    args: z.object({
      url: z.string().min(1),
      offset: z.int().min(0).default(0),
    }),
  }),
} satisfies Readonly<Record<string, PlatformToolRow>>

/** The name of a platform tool. */
export type PlatformToolName = keyof typeof platformTools
