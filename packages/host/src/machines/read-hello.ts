import type { Limits } from '@svc/contract'
import { LINK_VERSION, type LinkHead, type LinkMachine } from '@svc/runner/link'

/** What a machine told of itself, or a sentence: it speaks another version, or says nothing that can be read. */
export function readHello(head: LinkHead, limits: Limits): LinkMachine | string {
  const { version, platform, node, installs, slots, isolation } = head
  if (version !== LINK_VERSION)
    return `the host speaks version ${LINK_VERSION} of the link, the machine ${typeof version === 'number' ? version : 'none'}: update the older`
  const jobs = { ...(slots as { jobs?: unknown }) }.jobs
  return {
    platform: nameOf(platform, limits),
    node: nameOf(node, limits),
    installs: Array.isArray(installs)
      ? installs.slice(0, limits.RUNNER_INSTALLS_MAX).map((one) => nameOf(one, limits))
      : [],
    ...isolationOf(isolation, limits),
    ...(Number.isSafeInteger(jobs) && { slots: { jobs: Math.max(1, jobs as number) } }),
  }
}

/** What walls it says its plugins have; an older machine says nothing. */
function isolationOf(
  told: unknown,
  { RUNNER_PROBLEM_MAX_CHARS: max }: Limits,
): Pick<LinkMachine, 'isolation'> {
  const { walls, problem } = { ...(told as { walls?: unknown; problem?: unknown } | null) }
  if (typeof walls !== 'boolean') return {}
  const text = typeof problem === 'string' ? problem.slice(0, max).replaceAll(/\p{C}/gu, ' ') : null
  return { isolation: { walls, problem: text } }
}

/** Shown on pages: a short text without what cannot be seen. */
const nameOf = (text: unknown, { NAME_MAX_CHARS }: Limits): string =>
  typeof text === 'string' ? text.slice(0, NAME_MAX_CHARS).replaceAll(/\p{C}/gu, '') : ''
