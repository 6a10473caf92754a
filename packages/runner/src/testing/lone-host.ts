import type { IsolatorName } from '../isolation/isolators.ts'
import { createRunner } from '../runner.ts'

/**
 * A host that is going to be ended: a call and a job of its have a tool that never answers. Arguments: isolator, mark,
 * tool, its arguments as JSON. SIGTERM closes it.
 */
const [isolator, mark = '', tool = '', args = '{}'] = process.argv.slice(2)
const runner = createRunner({ isolator: isolator as IsolatorName })
const hostile = new URL('./hostile.mjs', import.meta.url).pathname
const plugin = { id: 'hostile', version: '1', command: ['node', hostile], env: { SVC_TEST_MARK: mark } }
const common = {
  userId: 'ada',
  plugin,
  args: JSON.parse(args),
  timeoutMs: 60_000,
  deadlineMs: Date.now() + 60_000,
  graceMs: 0,
  maxResultBytes: 100,
}
process.once('SIGTERM', () => void runner.close())

await runner.call({ ...common, tool: 'echo', args: {}, invokeId: 'inv_1' })
void runner.call({ ...common, tool, invokeId: 'inv_2' })
void runner.job({
  ...common,
  tool,
  jobId: 'tjob_1',
  signal: new AbortController().signal,
  onProgress: () => process.stdout.write('ready\n'),
  onStarted() {},
  onDropped() {},
  onHeartbeat() {},
})
