import { type BuildProblem, type Limits, problemParts } from '@svc/contract'
import { visibleLine } from '@svc/contract/visible-text'
import { openWindowsUnder } from '../catalog/window-row.ts'
import type { AppNeeds } from './services.ts'

/** What may be wrong with an app. */
export type ProblemPart = BuildProblem['part']
/** What is wrong with a part of an app, as it is told. */
export type ToldProblem = Omit<BuildProblem, 'part'>

/** What is wrong with a part of an app, whose windows are those of a version. */
interface Place {
  readonly app_id: string
  readonly version_id: string
  readonly part: ProblemPart
}

/** Opens the list of what is wrong with apps while somebody develops them; nothing is yet. */
export function openBuildProblems(services: AppNeeds) {
  const problems = new Map<string, Map<ProblemPart, BuildProblem>>()
  const inApp = (appId: string) => problems.get(appId) ?? new Map<ProblemPart, BuildProblem>()
  const of = (appId: string): BuildProblem | null => {
    const known = inApp(appId)
    return problemParts.map((part) => known.get(part)).find((problem) => problem !== undefined) ?? null
  }
  return {
    of,
    /**
     * Notes a problem, or with `null` that it is over, and notifies the open windows of the version if that changed what
     * they show.
     */
    async set({ app_id, version_id, part }: Place, told: ToldProblem | null) {
      const before = of(app_id)
      const known = inApp(app_id)
      if (told === null) known.delete(part)
      else known.set(part, { part, ...cleaned(told, services.limits) })
      problems.set(app_id, known)
      const problem = of(app_id)
      if (problem === before) return
      for (const { id, row } of await openWindowsUnder(services, 'openByVersion', [version_id]))
        services.events.emit(row.user_id, 'build_changed', id, { app_id, problem })
    },
  }
}

/** What tools and programs say may hold anything: it is shown as one line each, and cut. */
function cleaned({ message, file, line, column, hint }: ToldProblem, limits: Limits): ToldProblem {
  const clean = (text: string) => visibleLine(text).slice(0, limits.ERROR_MESSAGE_MAX_CHARS)
  return { message: clean(message), file: file && clean(file), line, column, hint: hint && clean(hint) }
}
