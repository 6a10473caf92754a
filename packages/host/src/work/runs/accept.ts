import type { CompletionArgs } from '@svc/contract'
import { runKey, runs } from '../../catalog/run-row.ts'
import { guessTokens, tokenCap } from '../../models/providers/spend.ts'
import { judgePrompt } from '../sessions/prompt.ts'
import { counted } from '../sessions/touch.ts'
import { judgeAttachments } from './attachments.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Order } from './order.ts'
import type { RunArgs, RunCaller, RunParts, StreamIds } from './runs.ts'
import { sameAnswer, take } from './take.ts'

/**
 * Accepts a run of a session, or finds the one that has its `run_id`: validate, look up, caps, insert.
 * Equal calls at once are one acceptance.
 */
export async function acceptRun(parts: RunParts, caller: RunCaller, args: RunArgs): Promise<StreamIds> {
  const { clock, limits, models, newId, sessions } = parts
  const { userId, appId, install, windowUuid } = caller
  const runId = args.run_id ?? newId('run')
  // Before anything goes through all of it: nothing else bounds a prompt.
  if (args.systemPrompt !== undefined) judgePrompt(args.systemPrompt, limits)
  const fingerprint = await fingerprintOf(args)
  const key = runKey(userId, args.app_session_uuid, runId)

  const accepted = await parts.sharedAccepts.share(`${appId}\n${key}`, fingerprint, async () => {
    const images = await judgeAttachments({ ...parts, userId }, args.attachments ?? [])
    const session = await sessions.active({ userId, appId }, args.app_session_uuid)
    const known = args.run_id === undefined ? null : await parts.store.get(runs, key)
    if (known) return { ...sameAnswer(parts, caller, known, fingerprint), windowUuid }
    const model = models.choose(args.modelPreferences, install.grants.models)
    // What a session has used up leaves no trace of a refused run; the count itself comes with the row.
    counted(session.row, clock.now())
    const { caps } = session.row
    const instructions = args.systemPrompt ?? session.row.system_prompt
    const order: Order = {
      caller,
      session,
      runId,
      fingerprint,
      model,
      instructions,
      images,
      maxOutputTokens: caps.max_tokens_per_call,
      steps: args.recursion_limit,
      said: [{ role: 'user', content: args.content }],
      allowedTools: args.allowed_tools ?? null,
    }
    const said = guessTokens([args.content, instructions ?? ''], limits)
    const started = await take(parts, key, order, {
      tokens: said + caps.max_tokens_per_call,
      caps: [
        {
          name: 'max_concurrent_runs of this session',
          index: 'activeBySession',
          eq: [session.id],
          max: caps.max_concurrent_runs,
        },
        ...appCap(caller),
      ],
    })
    return { ...started, windowUuid }
  })
  const { stream_id, run_id } = accepted
  // An equal call of another window was the faster one.
  if (windowUuid !== null && windowUuid !== accepted.windowUuid)
    parts.events.follow(userId, windowUuid, stream_id, null)
  return { stream_id, run_id }
}

/** Accepts a stream of `llm.stream`: it has no session, and no other run waits for it. */
export async function acceptStream(
  parts: RunParts,
  caller: RunCaller,
  args: CompletionArgs,
): Promise<StreamIds> {
  const { limits, models, newId } = parts
  const { userId, appId, install } = caller
  const runId = newId('run')
  const cap = tokenCap(install.grants, limits)
  const maxOutputTokens = Math.min(args.maxTokens ?? cap, cap)
  const order: Order = {
    caller,
    session: null,
    runId,
    // Its id is new, so nobody can mean it by another call.
    fingerprint: '',
    model: models.choose(args.modelPreferences, install.grants.models),
    maxOutputTokens,
    steps: 1,
    instructions: null,
    images: [],
    allowedTools: null,
    said: args.messages.map(({ role, content: { text } }) => ({ role, content: text })),
  }
  const said = guessTokens(
    args.messages.map(({ content }) => content.text),
    limits,
  )
  const key = runKey(userId, appId, runId)
  return take(parts, key, order, { tokens: said + maxOutputTokens, caps: appCap(caller) })
}

/** What the user granted an app counts all of its runs. */
function appCap({ userId, appId, install }: RunCaller) {
  const max = install.grants.quota_caps?.max_concurrent_runs
  return max === undefined
    ? []
    : [{ name: 'max_concurrent_runs of this app', index: 'activeByApp', eq: [userId, appId], max } as const]
}

/** Opens the acceptances that are under way in this process: equal calls share one. */
export function openSharedAccepts<T>() {
  const flying = new Map<string, { readonly fingerprint: string; readonly landing: Promise<T> }>()
  return {
    /** Does `work`, or waits for the one of the same key and fingerprint that is under way. */
    async share(key: string, fingerprint: string, work: () => Promise<T>): Promise<T> {
      for (let known = flying.get(key); known; known = flying.get(key)) {
        if (known.fingerprint === fingerprint) return known.landing
        await known.landing.catch(() => {})
      }
      const landing = work().finally(() => flying.delete(key))
      flying.set(key, { fingerprint, landing })
      return landing
    },
  }
}

export type SharedAccepts<T> = ReturnType<typeof openSharedAccepts<T>>
