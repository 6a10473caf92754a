import { ModelFailure } from '../failure.ts'
import type { Body } from './body.ts'
import { adapted, type Known, learnt, NO_FIELD, quirks } from './quirks.ts'
import { refusalWords } from './refusal-words.ts'

/** Refused requests that a call may cost while a server is learnt. */
const LESSONS_MAX = 6

/** Opens what is known of a server and a model there; `known` is what an operator said of it beforehand. */
export function openDialect(given: Known) {
  const known = new Map(given)
  let untold: string[] = []

  function learn(error: unknown, body: Body): boolean {
    const words = refusalWords(error)
    const lessons = words ? learnt(words, body, known) : []
    for (const [name, value] of lessons) {
      known.set(name, value)
      untold.push(sentence(name, value))
    }
    return lessons.length > 0
  }

  return {
    /**
     * Posts a body as the server takes it. Where the server refuses it for something that can be put right, that is
     * remembered and the body posted again. Rejects with the first refusal that nothing explains. `hasImages`: images are
     * what the body is about.
     */
    async post<T>(
      model: string,
      body: Body,
      hasImages: boolean,
      post: (body: Body) => Promise<T>,
    ): Promise<T> {
      for (let lessons = 0; ; ) {
        if (hasImages && known.has('no_images')) throw new ModelFailure(model, 'blind')
        const version = known.size
        const sent = adapted(body, known)
        try {
          return await post(sent)
        } catch (error) {
          // Another call may have learnt meanwhile what this one was refused for.
          const isOld = known.size > version
          if (lessons >= LESSONS_MAX || !(isOld || learn(error, sent))) throw error
          lessons += 1
        }
      }
    },
    /** What was learnt and not told yet, sentences for the operator. */
    told(): string[] {
      const sentences = untold
      untold = []
      return sentences
    },
  }
}

const sentence = (name: string, value: number): string =>
  name.startsWith(NO_FIELD)
    ? `the server does not take ${name.slice(NO_FIELD.length)}; the host leaves it out from now on (${name})`
    : `the server refused a request; the host ${quirks[name]?.means} from now on (${nameOf(name, value)})`

const nameOf = (name: string, value: number) => (value > 1 ? `${name}=${value}` : name)
