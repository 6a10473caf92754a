export { type Judge, openJudge } from './judge.ts'
export { pathProblem, shown } from './path.ts'
export { archiveTypes, readArchive, type Unpacked } from './read.ts'
export { joinInTurns } from './turns.ts'
