import { explain, type ImageType, limits, methods, Refusal } from '@svc/contract'
import { openPublicFetch } from '@svc/node/public-fetch'
import { frozenClock } from '@svc/node/testing'
import { openThreads } from '../kernel/threads/threads.ts'
import { judgeAttachments } from '../work/runs/attachments.ts'

/** What attachments are judged with. */
export const parts = {
  limits,
  threads: openThreads(),
  userId: 'ada',
  publicFetch: openPublicFetch({ clock: frozenClock(), limits, allowLoopback: [] }),
}
const row = methods.agent['session.run']

/** Reads the attachments of a run as its call does; returns the sentence of the refusal, or what is judged. */
export async function read(attachments: unknown) {
  const args = { app_session_uuid: 'aps_1', content: 'Look.', attachments }
  const parsed = row.args.safeParse(args)
  if (!parsed.success) return explain(parsed.error, args)
  try {
    return await judgeAttachments(parts, parsed.data.attachments ?? [])
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_arg') return error.message
    throw error
  }
}

/** The sentence of the refusal of one attachment; `null`: it is taken. */
export async function fault(attachment: unknown): Promise<string | null> {
  const judged = await read([attachment])
  return typeof judged === 'string' ? judged : null
}

/** The first bytes of every PNG, as base64: enough to pass for one. */
export const PNG_HEAD = 'iVBORw0KGgo='

/** An attachment that is taken, but for what is changed. */
export const png = (change: object) => ({ type: 'image/png', data: PNG_HEAD, ...change })

/** An attachment of some bytes. */
export const given = (type: ImageType, bytes: Buffer) => ({ type, data: bytes.toString('base64') })
