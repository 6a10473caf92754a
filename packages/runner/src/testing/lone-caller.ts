import { createRunner } from '../runner.ts'

/** A host that calls one attack of a plugin behind walls, and says what came of it. Argument: the attack. */
const [tool = ''] = process.argv.slice(2)
const runner = createRunner({ isolator: 'bubblewrap' })
const command = ['node', new URL('./hostile-plugin.ts', import.meta.url).pathname]
const outcome = await runner.call({
  userId: 'eve',
  plugin: { id: 'tool-hostile', version: '1.0.0', command, reach: {} },
  tool,
  args: {},
  graceMs: 0,
  invokeId: 'inv_1',
  timeoutMs: 20_000,
  deadlineMs: Date.now() + 20_000,
  maxResultBytes: 65_536,
})
await runner.close()
console.log(JSON.stringify(outcome))
