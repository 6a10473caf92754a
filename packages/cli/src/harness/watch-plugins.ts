import type { Project } from '../project/project.ts'
import { watchProgram } from '../project/watch-program.ts'

/**
 * Watches the programs of an app's plugins. `onSaved` gets the slug of a plugin after its program was saved. Returns what
 * ends the watching.
 */
export function watchPlugins(app: Project, onSaved: (slug: string) => void): () => void {
  const stops = app.plugins.map(({ slug, command }) => watchProgram(app.dir, command, () => onSaved(slug)))
  return () => {
    for (const stop of stops) stop?.()
  }
}
