import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../checks/check.ts'
import { callChecks } from './call-checks.ts'
import { checkPlugin, checks } from './check-plugin.ts'
import { endCheck } from './life-checks.ts'
import { manifestCheck } from './manifest-check.ts'

const cwd = import.meta.dirname
const faulty = fileURLToPath(new URL('../testing/faulty.mjs', import.meta.url))
const hostile = fileURLToPath(new URL('../../../runner/src/testing/hostile.mjs', import.meta.url))
/** What is not answered is waited for no longer than this, and lines are a sixteenth of what they may be. */
const limits = { DESCRIBE_TIMEOUT_MS: 2_000, LINE_MAX_BYTES: 1_048_576 }

/** The processes that have a text among their arguments. */
const runningWith = (text: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text)
    } catch {
      return false
    }
  })

const brokenOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ check, verdict }) => (verdict.kind === 'broken' ? [`${check.id}: ${check.name}`] : []))

/** Tries a plugin with a fault; `only`: by these checks, after its manifest and the end of a process, whose whole output is read. */
const check = (fault: string, only?: readonly string[]) =>
  checkPlugin({
    command: ['node', faulty, fault],
    cwd,
    limits,
    ...(only && {
      checks: checks.filter(
        (one) => one === manifestCheck || one === endCheck || only.includes(`${one.id}: ${one.name}`),
      ),
    }),
    call: { tool: 'wait', args: { ms: 700 }, timeoutMs: 5_000 },
  })

// A check waits for a plugin for the most part: two at a time cost little more than one.
describe('svc plug check', () => {
  it('finds nothing wrong with a plugin that does all as it should, and leaves nothing out', async () => {
    const findings = await check('none')
    expect(findings.filter(({ verdict }) => verdict.kind !== 'held')).toEqual([])
    expect(findings.map((one) => one.check)).toEqual(checks)
  })

  it.concurrent.each([
    ['manifest', ['stdio.describe: answers describe with its manifest']],
    ['ids', ['stdio.jsonrpc: echoes ids with their type']],
    ['method', ['stdio.failure.error: refuses a method that it does not know']],
    ['tool', ['stdio.failure.result: refuses a tool that it does not have']],
    ['garbage', ['stdio.alive: survives lines that are not requests']],
    [
      'first',
      ['stdio.lines: reads two lines of one write', 'stdio.lines: reads a line that comes in pieces'],
    ],
    ['decoded', ['stdio.lines: reads a line that comes in pieces']],
    ['separators', ['decision.lines.lf_only: splits lines at the line feed alone']],
    ['short', ['decision.lines.cap: reads a line as long as the cap']],
    ['output', ['stdio.call: answers the call']],
    ['schema', ['stdio.output_schema: returns what its output_schema says']],
    ['progress', ['stdio.progress: tells its progress well']],
    ['cancel', ['stdio.cancel: stops when the call is cancelled']],
    ['stays', ['stdio.alive: ends with its stdin']],
    ['noise', ['decision.lines.noise: writes nothing but messages to stdout']],
    ['twice', ['decision.lines.noise: writes nothing but messages to stdout']],
  ])('finds the fault %s by the requirement that it breaks', async (fault, broken) => {
    expect(brokenOf(await check(fault, broken))).toEqual(expect.arrayContaining(broken))
  })

  it.concurrent.each([
    [
      'noise',
      /^it wrote a line that is not a JSON object: "the plugin has started"/,
      /^stdout is the wire: /,
    ],
    ['twice', /^it answered the id "again" more than once/, /^Write one answer to each request\.$/],
    ['strays', /^it answered the id "nobody", which nobody waits for/, /^Answer only lines with a method: /],
    ['notified', /^it answered a line that has no id/, /^Answer only lines with an id: /],
  ])('says what is wrong with answers that nobody waits for: %s', async (fault, problem, hint) => {
    const alive = 'stdio.alive: survives lines that are not requests'
    const findings = await check(fault, [
      alive,
      'decision.lines.noise: writes nothing but messages to stdout',
    ])
    const told = { kind: 'broken', hint: expect.stringMatching(hint) }
    expect(findings.at(-1)?.verdict).toMatchObject({
      ...told,
      problems: expect.arrayContaining([expect.stringMatching(problem)]),
    })
  })

  it('finds that a plugin ends after one answer', async () => {
    const once = 'stdio.alive: stays alive after its first answer'
    expect(brokenOf(await check('once', [once]))).toContain(once)
  })

  it.concurrent.each([
    ['silent', ['it did not answer within 2000 ms'], {}],
    [
      'exits',
      ['it ended with exit code 3 before it answered'],
      { hint: expect.stringContaining('says on stderr') },
    ],
    [
      'indented',
      [expect.stringContaining('is one of several lines of a message')],
      { hint: expect.stringContaining('without an indent') },
    ],
    [
      'unended',
      [expect.stringContaining('does not end with a line feed')],
      { hint: expect.stringContaining('line feed') },
    ],
    ['buffered', ['it did not answer within 2000 ms', expect.stringContaining('flush each line')], {}],
  ])('tries nothing else on a plugin that gives no answer: %s', async (fault, problems, hint) => {
    const [first, ...others] = await check(fault)
    expect(first?.verdict).toEqual({ kind: 'broken', problems, ...hint, isSilent: true })
    // What it wrote is judged all the same.
    expect(others.slice(0, -1).every(({ verdict }) => verdict.kind === 'left_out')).toBe(true)
  })

  it('says that there is no such program', async () => {
    const [first] = await checkPlugin({ command: ['svc-no-such-program'], cwd, call: undefined })
    expect(first?.verdict).toMatchObject({
      problems: ['there is no program "svc-no-such-program" here'],
      hint: expect.stringContaining('as they are started in this folder'),
    })
  })

  it.each(['at once', 'in its middle'])('ends its processes when it is stopped %s', async (when) => {
    const token = randomUUID()
    const controller = new AbortController()
    const stop = () => controller.abort(new Error('enough'))
    const command = ['node', faulty, when === 'at once' ? 'silent' : 'stays', token]
    const stopped = checkPlugin({
      command,
      cwd,
      call: undefined,
      signal: controller.signal,
      onFinding: stop,
    })
    if (when === 'at once') stop()
    await expect(stopped).rejects.toThrow('enough')
    expect(runningWith(token)).toEqual([])
  })

  it('leaves no process behind that does not end by itself', async () => {
    const token = randomUUID()
    await checkPlugin({ command: ['node', faulty, 'stays', token], cwd, limits, call: undefined })
    expect(runningWith(token)).toEqual([])
  })
})

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/stdio.json', import.meta.url), 'utf8'),
) as { lines: string[] }

/** The lines of the corpus that a plugin writes as they stand; the others say in words what it does. */
const literal = corpus.lines.slice(
  0,
  corpus.lines.findIndex((line) => line.startsWith('R of')),
)

/** What the words mean, as tools of the hostile plugin, and the requirement that each breaks. */
const deeds: readonly (readonly [sentence: string, id: string, tool: string, args: object])[] = [
  ['R with invalid UTF-8 bytes FF FE in a string', 'decision.lines.noise', 'bytes', {}],
  [
    'R of call B sent while only call A is outstanding',
    'decision.lines.noise',
    'line',
    { line: '{"jsonrpc":"2.0","id":"B","result":{"output":1}}' },
  ],
  ['endless blank lines', 'decision.lines.noise', 'endless', { line: '' }],
  [
    'endless valid progress lines',
    'decision.lines.noise',
    'endless',
    { line: '{"jsonrpc":"2.0","method":"progress","params":{"id":$ID,"type":"progress","data":1}}' },
  ],
  ['progress with data 8192 B; 8193 B; 5 MB', 'stdio.progress', 'progress', { sizes: [8_193] }],
  ['R of 4194304 bytes; 4194305 bytes; 16 MiB; 16 MiB + 1', 'stdio.call', 'payload', { bytes: 4_194_305 }],
  [
    'R of 4194304 bytes; 4194305 bytes; 16 MiB; 16 MiB + 1',
    'decision.lines.noise',
    'sized',
    { bytes: 16_777_217 },
  ],
  ['SIGSEGV', 'stdio.call', 'crash', {}],
  ['exit 0 before reading', 'stdio.call', 'exit', { code: 0 }],
]

describe('what the corpus of hostile lines holds', () => {
  const describing = (tool: string) =>
    `DESCRIBE=${JSON.stringify({ name: 'hostile', tools: [{ name: tool, parameters: [] }] })}`
  const call = (tool: string, args: object) =>
    checkPlugin({
      command: ['env', describing(tool), 'node', hostile],
      cwd,
      checks: [manifestCheck, ...callChecks.slice(0, 3), ...checks.slice(-1)],
      call: { tool, args: { ...args }, timeoutMs: 3_000 },
    })

  it.concurrent.each(literal)('finds the line %j on stdout', async (line) => {
    expect(brokenOf(await call('line', { line }))).toEqual([
      'decision.lines.noise: writes nothing but messages to stdout',
    ])
  })

  it.concurrent.each(deeds)('finds %s by %s', async (sentence, id, tool, args) => {
    expect(corpus.lines).toContain(sentence)
    const broken = brokenOf(await call(tool, args))
    expect(broken.some((one) => one.startsWith(`${id}:`))).toBe(true)
  })
})
