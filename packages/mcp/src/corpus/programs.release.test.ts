import { describe } from 'vitest'
import { programs } from '../testing/corpus/programs.ts'
import { proveProgram } from '../testing/corpus/prove-program.ts'

describe.each(programs)('$language', proveProgram)
