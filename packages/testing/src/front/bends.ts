import { answerBends } from './answer-bends.ts'
import type { BendTable } from './bend.ts'
import { bodyBends } from './body-bends.ts'
import { headerBends } from './header-bends.ts'

/** The name of a bend. */
export type BendName = keyof typeof headerBends | keyof typeof bodyBends | keyof typeof answerBends

/** Every bend of a front, by its name: `createBendingFront({ target, bends: ['holds_events'] })`. */
export const bendTable: BendTable = { ...headerBends, ...bodyBends, ...answerBends }
