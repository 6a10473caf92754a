// One source of `npm run mutate`, in a process of its own: node try-mutants.ts SOURCE TEST…
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts'

/** A mutant, and whether every test held with it. */
export interface Tried extends Pick<Mutant, 'line' | 'code' | 'change'> {
  readonly file: string
  readonly survived: boolean
}

const [source = '', ...tests] = process.argv.slice(2)
const target = path.resolve(source)
const text = readFileSync(target, 'utf8')
/** Of one mutant: the tests take far less, and one that never ends is found out. */
const TEST_MS = 10_000
const RUN_MS = 60_000
let current: Mutant | null = null

const open = () =>
  createVitest(
    {
      config: false,
      fsModuleCache: false,
      watch: false,
      bail: 1,
      isolate: false,
      fileParallelism: false,
      include: tests,
      reporters: [{}],
      silent: true,
      testTimeout: TEST_MS,
      hookTimeout: TEST_MS,
      expect: { poll: { timeout: TEST_MS / 2 } },
      teardownTimeout: 1_000,
      passWithNoTests: false,
    },
    {
      plugins: [
        {
          name: 'svc:mutant',
          enforce: 'pre',
          transform: (_code, id) =>
            current && id.split('?')[0] === target ? { code: applyMutant(text, current), map: null } : null,
        },
      ],
    },
  )

/** Whether every test holds. One that never ends does not. */
async function holds(vitest: Vitest): Promise<boolean | 'stuck'> {
  vitest.invalidateFile(target)
  vitest.state.clearErrors()
  const specifications = await vitest.globTestSpecifications()
  const late = new Promise<'stuck'>((resolve) => setTimeout(() => resolve('stuck'), RUN_MS).unref())
  const run = vitest.runTestSpecifications(specifications, true).then(({ testModules, unhandledErrors }) => {
    return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((file) => file.ok())
  })
  return Promise.race([run, late])
}

let vitest = await open()
if ((await holds(vitest)) !== true) throw new Error(`the tests of ${source} fail without a change`)
for (const mutant of mutantsOf(text)) {
  current = mutant
  const result = await holds(vitest)
  const { line, code, change } = mutant
  const tried: Tried = { file: source, line, code, change, survived: result === true }
  process.stdout.write(`${JSON.stringify(tried)}\n`)
  if (result !== 'stuck') continue
  await vitest.close()
  vitest = await open()
}
await vitest.close()
process.exit(0)
