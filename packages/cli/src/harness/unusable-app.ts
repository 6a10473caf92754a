import { manifestFileOf, type Project } from '../project/project.ts'
import { type Failure, failure } from '../terminal/failure.ts'

/** The app of which the host says that it cannot be used, and what it says; `null` when it speaks of none. */
export function unusableApp(
  error: unknown,
  apps: Iterable<Project>,
): { app: Project; failure: Failure } | null {
  const message = error instanceof Error ? error.message : ''
  const begins = ({ bundleDir }: Project) => `the app in ${bundleDir} cannot be used`
  const all = [...apps]
  const app = all.find((one) => message.startsWith(begins(one)))
  if (!app) return null
  // Whoever reads it knows the folders of the sources, not those that are built from them.
  const why = all.reduce(
    (text, { bundleDir, dir }) => text.replaceAll(`the app in ${bundleDir} `, `the app in ${dir} `),
    message.slice(begins(app).length),
  )
  return {
    app,
    failure: failure(
      'config',
      `${app.name} cannot be used${why}`,
      `Change its ${manifestFileOf(app)}, then start again.`,
    ),
  }
}
