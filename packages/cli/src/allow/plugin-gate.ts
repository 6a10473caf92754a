import { limits } from '@svc/contract'
import type { AllowPlugin, OfferedPlugin, PluginAnswers } from '@svc/runner'
import type { AllowList } from './allow-option.ts'
import type { AskPlugin } from './ask-plugin.ts'

/** What deciding takes. */
export interface PluginGateParts {
  /** What the command line allows; it goes before what was answered. */
  readonly allowed: AllowList
  readonly answers: PluginAnswers
  /** `null`: nobody is there to be asked. */
  readonly ask: AskPlugin | null
  /** A plugin in a line. */
  readonly words: (plugin: OfferedPlugin) => string
  /** Hears of each plugin of another, at each of its terms, before it is first used. */
  readonly onFirst: (plugin: OfferedPlugin) => void
  /** Tells the person what went wrong. */
  readonly say: (text: string) => void
}

/**
 * Decides which plugins `svc runner` takes: its user's own, what the command line names, and what the person at the
 * terminal answers. A question stays open until it is answered; the runner refuses what waits for it too long.
 */
export function pluginGate({ allowed, answers, ask, words, onFirst, say }: PluginGateParts): AllowPlugin {
  const once = new Set<string>()
  const told = new Set<string>()
  const refused = new Set<string>()
  const open = new Map<string, Promise<boolean>>()
  let turn: Promise<unknown> = Promise.resolve()

  async function question(plugin: OfferedPlugin, person: AskPlugin): Promise<boolean> {
    // A question that waited may have its answer: never is for each version.
    if (answers.of(plugin) !== undefined) return answers.of(plugin) === 'always'
    const answer = await person(words(plugin))
    if (answer === 'once') once.add(plugin.digest)
    else if (answer !== null)
      await answers
        .keep(plugin, answer)
        .catch((error: Error) =>
          say(`the answer could not be stored and is valid only until the runner ends: ${error.message}`),
        )
    return answer === 'once' || answer === 'always'
  }

  async function asked(plugin: OfferedPlugin): Promise<boolean> {
    const { digest } = plugin
    const waiting = open.get(digest)
    if (waiting) return waiting
    if (ask === null || open.size >= limits.RUNNER_QUESTIONS_MAX) return false
    const answer = turn.then(() => question(plugin, ask)).finally(() => open.delete(digest))
    turn = answer.catch(() => {})
    open.set(digest, answer)
    return answer
  }

  async function decide(plugin: OfferedPlugin): Promise<boolean> {
    const { id, digest } = plugin
    // It would be read as the terms of another.
    if (id.includes('@')) return false
    if (allowed.all || allowed.names.has(id) || allowed.names.has(`${id}@${digest}`)) return true
    const said = answers.of(plugin)
    if (said !== undefined) return said === 'always'
    return once.has(digest) || asked(plugin)
  }

  /** Nobody is asked, so that whoever reads what the runner prints learns of it; once for each terms, of a bounded number. */
  function tellRefused(plugin: OfferedPlugin): void {
    const { id, digest } = plugin
    if (ask !== null || refused.has(digest) || refused.size >= limits.RUNNER_QUESTIONS_MAX) return
    refused.add(digest)
    say(`refused ${words(plugin)} To allow it, start the runner with --allow ${id}@${digest}`)
  }

  return async (plugin) => {
    if (plugin.isOwn) return true
    const isAllowed = await decide(plugin)
    if (isAllowed && !told.has(plugin.digest)) {
      told.add(plugin.digest)
      onFirst(plugin)
    }
    if (!isAllowed) tellRefused(plugin)
    return isAllowed
  }
}
