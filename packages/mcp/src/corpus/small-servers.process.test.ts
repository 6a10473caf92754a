import { describe } from 'vitest'
import { proveServer } from '../testing/corpus/prove-server.ts'
import { smallServers } from '../testing/corpus/small-servers.ts'

describe.each(smallServers)('$name', proveServer)
