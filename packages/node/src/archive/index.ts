export { type Judge, openJudge } from './judge.ts'
export { pathProblem, shown } from './path.ts'
export { type ArchiveContent, archiveTypes, readArchive } from './read.ts'
export { joinInTurns } from './turns.ts'
