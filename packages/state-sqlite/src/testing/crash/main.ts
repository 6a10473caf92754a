// Kills as many processes as it is told, and prints what they came to: `node main.ts DIR SEED CYCLES`.
import { killCycles } from './kill-cycles.ts'

const [dir = '', seed = '', cycles = ''] = process.argv.slice(2)
console.log(JSON.stringify(await killCycles(dir, Number(seed), Number(cycles))))
