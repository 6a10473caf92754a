import type { ModelAnswer, ModelQuestion, ModelScript, ScriptedModelOptions, TestModels } from '@svc/testing'
import type { Hold } from './hold.ts'

/** What models say of which the story of an app says nothing. */
const preset: TestModels = {
  default: () => ({ text: ['This is ', 'an answer ', 'of svc app check.'], everyMs: 20 }),
}

/** Makes the models of a host: answers that are listed begin anew when they are used up, and all wait at the hold. */
export function heldModels(models: TestModels = preset, hold: Hold): TestModels {
  const held = Object.entries(models).map(([name, given]) => {
    const { answers, vision = false }: ScriptedModelOptions = 'answers' in given ? given : { answers: given }
    const answer = endless(answers)
    const script = async (question: ModelQuestion): Promise<string | ModelAnswer> => {
      await hold.pass()
      return answer(question)
    }
    return [name, { answers: script, vision }] as const
  })
  return Object.fromEntries(held) as unknown as TestModels
}

function endless(script: ModelScript): Extract<ModelScript, (...args: never[]) => unknown> {
  if (typeof script === 'function') return script
  let asked = 0
  return () => script[asked++ % script.length] ?? ''
}
