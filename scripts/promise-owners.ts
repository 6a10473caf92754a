import ts from 'typescript'

/** A promise that nobody waits for. */
export interface Unowned {
  readonly line: number
  /** What makes the promise, as it is written. */
  readonly call: string
  /** Whether the list below says why it never rejects. */
  readonly isAllowed: boolean
}

const HOST = 'packages/host/src'
const RUNNER = 'packages/runner/src'
const CLI = 'packages/cli/src'
const LOGS = 'catches all and logs it'
const ENDS = 'how a process ended is a value'

/** The packages whose promises have an owner each. */
export const owning: readonly string[] =
  'bridge cli host mcp node plugin runner sdk state state-cluster state-sqlite'.split(' ')

/**
 * What may be begun with `void` and no `catch`, by its file and the name that is called, and why it never rejects
 * (docs/decisions/0210-no-promise-without-an-owner.md). A rejection that nobody handles ends the process. Tests are free.
 */
export const neverRejects: Readonly<Record<string, string>> = {
  [`${HOST}/edge/rpc/turns.ts mine.then`]: 'a turn resolves, whatever came of the work',
  [`${HOST}/edge/rpc/turns.ts turn.then`]: 'a turn resolves, whatever came of the work',
  [`${HOST}/edge/http/socket-writer.ts turn.then`]: 'a turn resolves with whether it came',
  [`${HOST}/edge/http/call-socket.ts when`]: 'what failed was logged, and is no rejection',
  [`${HOST}/edge/http/node-front.ts attempt`]: 'what fails goes to its second function',
  [`${HOST}/edge/rpc/reply.ts when`]: 'the answer of a call is never a rejection',
  [`${HOST}/edge/http/routes/run-stream.ts write`]: 'an error ends the response',
  [`${HOST}/edge/http/call-socket.ts this.#events.open`]:
    'a stream that cannot be opened is refused on the socket',
  [`${HOST}/machines/runners.ts link.gone.then`]: 'a link that goes resolves',
  [`${HOST}/machines/take-link.ts checkLink`]: LOGS,
  [`${HOST}/machines/take-link.ts parts.announce`]: LOGS,
  [`${HOST}/machines/call-subcalls.ts serve`]: 'an error is the reply',
  [`${HOST}/machines/link-requests.ts read(body).catch(unreadable).then`]:
    'what cannot be read settles the request',
  [`${HOST}/open-services.ts notifyConfigured`]: LOGS,
  [`${HOST}/events/event-stream.ts this.#catchUp`]: LOGS,
  [`${HOST}/events/event-streams.ts stream.begin`]: LOGS,
  [`${HOST}/events/append-queue.ts until.then`]: LOGS,
  [`${HOST}/events/channel.ts this.#run`]: LOGS,
  [`${HOST}/work/jobs/job-news.ts held.turn`]: 'its work catches all and logs it',
  [`${HOST}/work/jobs/held-job.ts work(abort.signal).then`]: 'every outcome of a job is an ending',
  [`${HOST}/work/jobs/active-jobs.ts run(next).then`]: 'every outcome of a job is an ending',
  [`${HOST}/work/runs/watch.ts checkRow`]: LOGS,
  [`${HOST}/work/runs/runs.ts checkRow`]: LOGS,
  [`${HOST}/work/runs/agent-loop.ts checkRow`]: LOGS,
  [`${HOST}/windows/seen.ts write`]: LOGS,
  [`${HOST}/windows/seen.ts writeGathered`]: LOGS,
  [`${HOST}/kernel/threads/threads.ts close`]: 'a thread that is ended resolves',
  [`${HOST}/plugins/deployments/published.ts notifyStatus`]: LOGS,
  [`${HOST}/plugins/deployments/published.ts notifyLink`]: LOGS,
  [`${HOST}/work/jobs/jobs.ts inTurn`]: LOGS,
  [`${HOST}/user-data/late-writes.ts over.then`]: 'all of its parts are settled',
  [`${RUNNER}/calls/worker.ts child.retire`]: ENDS,
  [`${RUNNER}/calls/worker.ts child.ended.then`]: ENDS,
  [`${RUNNER}/calls/job.ts (stopAfter(answer, worker, question, limits) ?? worker.retire())`]: ENDS,
  [`${RUNNER}/calls/job-processes.ts worker.ended.then`]: ENDS,
  [`${RUNNER}/calls/pool.ts worker.ended.then`]: ENDS,
  [`${RUNNER}/calls/pool.ts end.then`]: ENDS,
  [`${RUNNER}/calls/subcalls.ts serve`]: 'an error is the reply',
  [`${RUNNER}/calls/subcalls.ts read`]: 'it only joins what is in memory',
  [`${RUNNER}/calls/tool-news.ts look`]: 'a plugin that cannot be asked is an outcome',
  [`${RUNNER}/calls/talk.ts child?.kill`]: ENDS,
  [`${RUNNER}/calls/talk.ts process.ended.then`]: ENDS,
  [`${RUNNER}/calls/worker.ts child.kill().then`]: 'a cache that cannot be emptied stays',
  [`${RUNNER}/isolation/egress.ts connect`]: 'a server that cannot be reached is refused',
  [`${RUNNER}/processes/watch.ts child.ended.then`]: ENDS,
  [`${RUNNER}/processes/watch.ts cgroup?.close`]: 'a cgroup that cannot be removed stays',
  [`${RUNNER}/runner.ts folders.dropCache`]: 'a folder that cannot be removed stays',
  [`${RUNNER}/processes/child.ts Promise.all([drained, emptied()]).then`]:
    'each of the two has a time after which it resolves',
  [`${RUNNER}/install/run-tool.ts child.kill`]: ENDS,
  [`${RUNNER}/link/wire.ts gone.then`]: 'a link that goes resolves',
  [`${CLI}/harness/live-plugins.ts saved`]: 'a failure is told as a change',
  [`${CLI}/harness/live-plugins.ts keyChanged`]: 'a failure is told as a change',
  [`${CLI}/plug-check/process.ts ended.then`]: ENDS,
  [`${CLI}/plug-check/bench.ts process.close`]: ENDS,
  [`${CLI}/plug-check/bench.ts clear`]: ENDS,
  [`${CLI}/terminal/keys.ts press`]: 'a failure is written to the terminal',
  [`${CLI}/commands/serve.ts sayServed`]: 'tries again until the host closes',
  'packages/bridge/src/channel.ts thisTick.then': 'a tick resolves',
  'packages/bridge/src/element/define-svc-window.ts this.#open': 'a failure is shown in the element',
  'packages/bridge/src/lanes.ts sent.then': 'a batch resolves, whatever came of it',
  'packages/bridge/src/window.ts carryOut': 'a wish that cannot be carried out is told to the page',
  'packages/bridge/src/create-bridge.ts socket.open().then': 'a socket that does not open resolves',
  'packages/bridge/src/event-stream.ts run': 'a connection that fails is tried again',
  'packages/bridge/src/forward.ts post(calls, answer, batch.abort.signal).then':
    'a request that fails answers its calls',
  'packages/plugin/src/answer.ts call': 'an error of a tool is its answer',
  'packages/plugin/src/answer.ts describeLive': 'an error of the author is its answer',
  'packages/plugin/src/serve.ts end': 'it ends the process',
  'packages/state/src/troubles.ts tryAgain': 'all of its parts are settled',
  "packages/sdk/src/worker/wrap-worker.ts (type === 'context' && hear())": 'it is no promise',
  'packages/sdk/src/follow-stream.ts watch': 'what cannot be read is told to its listeners',
  'packages/sdk/src/state/connection.ts greet': 'what failed is the state',
  'packages/sdk/src/state/session-replies.ts find': 'what failed is the state',
  'packages/sdk/src/state/stored.ts work': 'what failed is the state',
  'packages/sdk/src/state/tool-job.ts read': 'what failed is the state',
  'packages/sdk/src/wire.ts thisTick.then': 'a tick resolves',
  'packages/sdk/src/worker/worker-svc.ts room': 'the room of a document answers all that it is asked',
  'packages/sdk/src/worker/worker-svc.ts open()': 'the same',
  'packages/sdk/src/worker/serve-worker.ts iterator.return': 'what is left resolves',
  'packages/sdk/src/worker/serve-worker.ts tell': 'a listener that throws has the worker tell of it',
  'packages/state-sqlite/src/open-folder.ts lost.promise.then':
    'a callback of the operator: what it throws ends his process',
  'packages/state-sqlite/src/open-folder.ts thread.ended.then': 'a thread that ends resolves',
  'packages/state-cluster/src/redis/link.ts connect': 'a connection that fails is tried again',
  'packages/mcp/src/serve-mcp.ts Promise.race([asked, pause(limits.MCP_END_MS)]).then':
    'neither of the two rejects',
}

/** Returns what a source begins with `void` and does not catch; `file` is counted from the root. */
export function readUnowned(file: string, text: string) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: (Unowned & { readonly entry: string })[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVoidExpression(node) && isBegun(node.expression)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const call = nameOf(node.expression).replaceAll(/\s+/g, ' ')
      const entry = `${file} ${call}`
      found.push({ line: line + 1, call, entry, isAllowed: entry in neverRejects })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether something is called, and its rejection is left to nobody. `return void …` gives a function no value. */
function isBegun(expression: ts.Expression): boolean {
  const called = unwrapped(expression)
  if (ts.isReturnStatement(expression.parent.parent)) return false
  if (!ts.isCallExpression(called)) return !ts.isAwaitExpression(called) && hasCall(called)
  const { expression: callee, arguments: given } = called
  if (!ts.isPropertyAccessExpression(callee))
    return !/^(enter|send|setImmediate|setTimeout)$/.test(callee.getText())
  const name = callee.name.text
  return !(name === 'catch' || (name === 'then' && given.length === 2) || isPlain(name))
}

/** Methods whose value is no promise. */
const isPlain = (name: string): boolean =>
  /^(add|delete|destroy|end|off|on|once|owe|push|send|set|setTimer|terminate|write)$/.test(name)

const unwrapped = (expression: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(expression) ? unwrapped(expression.expression) : expression

const hasCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) ? isBegun(node) : (ts.forEachChild(node, hasCall) ?? false)

const nameOf = (expression: ts.Expression): string =>
  ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText()
