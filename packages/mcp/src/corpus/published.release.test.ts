import { describe } from 'vitest'
import { provePublished } from '../testing/corpus/prove-published.ts'
import { servers } from '../testing/corpus/servers.ts'

describe.each(servers)('$name, published', provePublished)
