import type { BuildProblem, Limits } from '@svc/contract'
import { openWindowsUnder } from '../windows/window-record.ts'
import type { AppParts } from './parts.ts'

/** Why the last builds of apps failed, by app, while somebody develops them. */
export interface BuildProblems {
  of(appId: string): BuildProblem | null
  /** Notes a problem, or with `null` that it is over, and tells the open windows of the version when that is news. */
  set(appId: string, versionId: string, problem: BuildProblem | null): Promise<void>
}

/** Opens the list; nothing has failed yet. */
export function openBuildProblems(services: AppParts): BuildProblems {
  const problems = new Map<string, BuildProblem>()
  return {
    of: (appId) => problems.get(appId) ?? null,
    async set(app_id, versionId, told) {
      if (told === null && !problems.delete(app_id)) return
      const problem = told && cleaned(told, services.limits)
      if (problem) problems.set(app_id, problem)
      for (const { id, row } of await openWindowsUnder(services, 'openByVersion', [versionId]))
        services.events.emit(row.user_id, 'build_changed', id, { app_id, problem })
    },
  }
}

/** The texts of a build tool may hold anything: they are shown as one line each, and cut. */
function cleaned({ message, file, line }: BuildProblem, limits: Limits): BuildProblem {
  const clean = (text: string) =>
    text
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, limits.ERROR_MESSAGE_MAX_CHARS)
  return { message: clean(message), file: file && clean(file), line }
}
