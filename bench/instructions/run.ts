import { paths } from './paths.ts'

/** One path, so often: `run.js 'look at a JSON line' 2000`. */
const [, , name = '', count = '0'] = process.argv
const path = paths[name]
if (!path) throw new Error(`there is no path ${name}`)
await path(Number(count))
