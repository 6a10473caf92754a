/** One step up of a ceiling, and what the lines or words are for. */
type Raise = readonly [by: number, what: string]

/**
 * How many lines of product source each package may have, and how many words the docs: growth is a decision. A ceiling is
 * the count rounded up to the next hundred lines or thousand words. To go above it add a row that says what for; when the
 * count falls, lower the last row or take it out.
 */
export const ceilings: Readonly<Record<string, readonly Raise[]>> = {
  'packages/bridge': [[2_800, 'windows in a page, calls, the element']],
  'packages/cli': [[11_900, 'svc dev, serve, data, plug, app, runner, doctor']],
  'packages/conformance': [[4_800, 'requirements, the gate, other browsers']],
  'packages/contract': [[10_800, 'methods, routes, errors, limits, states, the generated client']],
  'packages/create-svc': [[600, 'the templates laid over each other']],
  'packages/host': [
    [33_200, 'the server'],
    [100, 'calls that wait for a yes no longer than they may take'],
  ],
  'packages/mcp': [[800, 'MCP servers as plugins']],
  'packages/node': [
    [1_500, 'clock, archives, public fetch'],
    [100, 'removes what others write to without following their links'],
  ],
  'packages/plugin': [[1_200, 'tools in a process']],
  'packages/react': [[300, 'hooks']],
  'packages/runner': [
    [9_000, 'installs, starts, isolates and reaps plugins'],
    [500, 'counts memory and files that nobody counted, ends namespaces by their first process'],
  ],
  'packages/sdk': [[3_500, 'the client in the iframe']],
  'packages/shell': [[8_700, 'the page that svc serves']],
  'packages/state': [[2_800, 'ports, drivers in memory, the state as a file']],
  'packages/state-cluster': [[4_300, 'PostgreSQL, Redis, questions between hosts']],
  'packages/state-sqlite': [
    [4_000, 'the state in a folder'],
    [100, 'refuses folders and secrets that others own or may change'],
  ],
  'packages/svelte': [[200, 'stores']],
  'packages/testing': [[2_400, 'tests of an app without a browser']],
  'packages/vue': [[200, 'composables']],
  'words of pages': [
    [140_000, 'guides, rulings, reference pages, READMEs'],
    [1_000, 'what isolation counts, refuses and does not promise'],
  ],
}

/** How much of a ceiling may be free: the step that counts are rounded up to. */
export const stepOf = (name: string): number => (name.startsWith('packages/') ? 100 : 1_000)

/** What is wrong with counts of lines and words, one sentence each. */
export function growthProblems(
  counts: ReadonlyMap<string, number>,
  rows: Readonly<Record<string, readonly Raise[]>> = ceilings,
): string[] {
  const ceilingOf = (name: string) => (rows[name] ?? []).reduce((all, [by]) => all + by, 0)
  const gone = Object.keys(rows).filter((name) => !counts.has(name))
  return [
    ...gone.map((name) => `${name}: there is no such package; take its ceiling out`),
    ...[...counts].flatMap(([name, count]) => {
      const [ceiling, step] = [ceilingOf(name), stepOf(name)]
      const right = Math.ceil(count / step) * step
      if (count > ceiling)
        return [
          `${name}: ${count}, and the ceiling is ${ceiling}; take something out, or add a row of +${right - ceiling} that says what for`,
        ]
      if (ceiling - right > step)
        return [`${name}: ${count}, and the ceiling is ${ceiling}; lower it to ${right}`]
      return []
    }),
  ]
}
