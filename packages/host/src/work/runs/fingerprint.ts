import { createHash, hash } from 'node:crypto'
import type { Attachment } from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { pause } from '@svc/node'
import type { RunArgs } from './runs.ts'

const sha256 = (text: string) => hash('sha256', text)
/** Characters of an image that are hashed before others have their turn. */
const TURN_CHARS = 1_048_576

/** SHA-256 of the canonical arguments of a run without its `run_id`. Images count by their own hash. */
export async function fingerprintOf({ run_id: _id, attachments, ...args }: RunArgs): Promise<string> {
  const images: Attachment[] = []
  for (const { data, url, ...image } of attachments ?? [])
    images.push({
      ...image,
      ...(data !== undefined && { data: await hashOf(data) }),
      ...(url !== undefined && { url: await hashOf(url) }),
    })
  return sha256(canonicalJson({ ...args, ...(attachments && { attachments: images }) }))
}

async function hashOf(data: string): Promise<string> {
  if (data.length <= TURN_CHARS) return sha256(data)
  const all = createHash('sha256')
  for (let at = 0; at < data.length; at += TURN_CHARS) {
    all.update(data.slice(at, at + TURN_CHARS))
    await pause()
  }
  return all.digest('hex')
}
