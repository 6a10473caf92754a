import type { IsolatorName } from '../isolation/isolators.ts'
import { createRunner } from '../runner.ts'

/** A runner that is going to be ended in the middle of an install by `uv`. Arguments: isolator, folder of installs. */
const [isolator, installDir = ''] = process.argv.slice(2)
const runner = createRunner({ isolator: isolator as IsolatorName, installDir })

await runner.install({
  id: 'tool-ada-tiny-1',
  version: '1.0.0',
  distribution: { type: 'uv', package_name: 'tiny' },
})
