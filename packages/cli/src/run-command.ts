import { runWords } from './run-words.ts'

await runWords(process.argv.slice(2))
