import type { Limits } from '@svc/contract'
import { LINK_VERSION, type LinkHead, type LinkMachine } from '@svc/contract/link-wire'

/** What a machine told of itself, or a sentence: it speaks another version, or says nothing that can be read. */
export function readHello(head: LinkHead, limits: Limits): LinkMachine | string {
  const { version, platform, node, installs, slots } = head
  if (version !== LINK_VERSION)
    return `the host speaks version ${LINK_VERSION} of the link, the machine ${typeof version === 'number' ? version : 'none'}: update the older`
  const jobs = { ...(slots as { jobs?: unknown }) }.jobs
  return {
    platform: nameOf(platform, limits),
    node: nameOf(node, limits),
    installs: Array.isArray(installs)
      ? installs.slice(0, limits.RUNNER_INSTALLS_MAX).map((one) => nameOf(one, limits))
      : [],
    ...(Number.isSafeInteger(jobs) && { slots: { jobs: Math.max(1, jobs as number) } }),
  }
}

/** Shown on pages: a short text without what cannot be seen. */
const nameOf = (text: unknown, { NAME_MAX_CHARS }: Limits): string =>
  typeof text === 'string' ? text.slice(0, NAME_MAX_CHARS).replaceAll(/\p{C}/gu, '') : ''
