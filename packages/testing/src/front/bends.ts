import { answerBends } from './answer-bends.ts'
import { bodyBends } from './body-bends.ts'
import { headerBends } from './header-bends.ts'

/** Every bend of a front, by its name: `createBendingFront({ target, bends: ['holds_events'] })`. */
export const bendTable = Object.assign({}, headerBends, bodyBends, answerBends)

/** The name of a bend. */
export type BendName = keyof typeof bendTable
