import type { FenceName } from '../isolation/fence.ts'
import { createRunner } from '../runner.ts'

/** A runner that is going to be ended in the middle of an install by `uv`. Arguments: fence, folder of installs. */
const [fence, installDir = ''] = process.argv.slice(2)
const runner = createRunner({ fence: fence as FenceName, installDir })

await runner.install({
  id: 'tool-ada-tiny-1',
  version: '1.0.0',
  distribution: { type: 'uv', package_name: 'tiny' },
})
