import type { ConfiguredModels } from '@svc/host'
import type { ModelQuestion, ScriptedModelOptions, TestModels } from './script.ts'
import { type ModelParts, scriptedModel } from './scripted-model.ts'

/** Opens the models of a test host. */
export function openTestModels(models: TestModels | undefined, parts: ModelParts) {
  const scripted = Object.entries(models ?? {}).map(([name, given]) => {
    const { answers, vision = false }: ScriptedModelOptions = 'answers' in given ? given : { answers: given }
    return { name, vision, scripted: scriptedModel(name, answers, parts) }
  })
  const configured = scripted.map(
    ({ name, vision, scripted: { model } }) => [name, { model, vision }] as const,
  )
  return {
    /** As a host is configured with them; `null`: none. The host says so where there is no `default`. */
    configured: models ? (Object.fromEntries(configured) as unknown as ConfiguredModels) : null,
    /** What each was asked so far, by its name. */
    questions: Object.fromEntries(
      scripted.map(({ name, scripted: { questions } }) => [name, questions]),
    ) as Readonly<Record<string, readonly ModelQuestion[]>>,
    /** The names of the models with an answer under way, one for each. */
    get answering(): readonly string[] {
      return scripted.flatMap(({ name, scripted: { answering } }) =>
        Array.from({ length: answering }, () => name),
      )
    },
  }
}

/** See `openTestModels`. */
export type OpenModels = ReturnType<typeof openTestModels>
