import { answeredCalls } from './answered-calls.ts'
import { answers } from './answers.ts'
import { content } from './content.ts'
import { contexts } from './contexts.ts'
import type { Dialect } from './dialect.ts'
import { ends } from './ends.ts'
import { errorsInside } from './errors-inside.ts'
import { fields } from './fields.ts'
import { meanings } from './meanings.ts'
import { overloads } from './overloads.ts'
import { refusals } from './refusals.ts'
import { requests } from './requests.ts'
import { roles } from './roles.ts'
import { toolless } from './toolless.ts'
import { toolRows } from './tools.ts'
import { vectors } from './vectors.ts'

/** Every behaviour of servers that the host is tried with, by what it is about. */
export const dialects: Readonly<Record<string, readonly Dialect[]>> = {
  'The tokens of an answer': requests,
  'Fields that a server does not know': fields,
  'Roles and their order': roles,
  'Contents of messages': content,
  'Names, arguments and number of tools': toolRows,
  'Models without tools': toolless,
  'A context that is full': contexts,
  Answers: answers,
  'The end of an answer': ends,
  'Calls in an answer': answeredCalls,
  Embeddings: vectors,
  Refusals: refusals,
  'Servers with too much to do': overloads,
  'Errors inside of an answer': errorsInside,
  'Refusals in words': meanings,
}
