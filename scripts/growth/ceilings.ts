/** One step up of a ceiling, and what the lines or words are for. */
type Raise = readonly [by: number, what: string]

/**
 * How many lines of product source each package may have, and how many words the docs: growth is a decision. A ceiling is
 * the count rounded up to the next hundred lines or thousand words. To go above it add a row that says what for; when the
 * count falls, lower the last row or take it out.
 */
export const ceilings: Readonly<Record<string, readonly Raise[]>> = {
  'packages/bridge': [
    [2_800, 'windows in a page, calls, the element'],
    [100, 'types of the events of the element'],
    [100, 'opens links of apps, and asks before it does'],
    [100, 'saves files of apps'],
    [100, 'keys that apps leave'],
    [100, 'events over the call socket, documents that are gone'],
    [200, 'whether the connection lives, and who answers'],
    [100, 'tokens of pages whose host is at another site'],
    [400, 'why an app did not load, parts on demand'],
    [100, 'popups that are closed, who attached last, one bridge for each element'],
    [100, 'types of the element in every framework'],
  ],
  'packages/cli': [
    [11_900, 'svc dev, serve, data, plug, app, runner, doctor'],
    [100, 'says which walls hold'],
    [300, 'judges the words of commands, closes in order at any moment of a start'],
    [100, 'text of others escaped wherever it is printed'],
    [100, 'proofs of the start token, and the sockets of hot updates'],
    [300, 'hints as their reader types them, what a host lacks for an app'],
    [200, 'knows MCP servers, shows mistakes of manifests and what a sandbox refuses'],
    [600, 'gives plugins what they need to run, from the environment or .env'],
    [100, 'tells lines that are meant as messages'],
    [200, 'gives plugins values'],
    [100, 'names what of the web an app uses and has not'],
    [100, 'windows while Vite starts again, names of files on Windows, a start that is told later'],
  ],
  'packages/conformance': [
    [4_800, 'requirements, the gate, other browsers'],
    [100, 'documents in the frames of others, in Firefox and WebKit too'],
    [100, 'what plugins need'],
    [100, 'requirements of what plugins say and models get'],
    [100, 'reloads of apps that write addresses, in Firefox and WebKit too'],
    [300, 'what apps have and ask of Firefox and WebKit, pressed and pasted there'],
    [100, 'requirements of packages, bindings, systems, windows and events that are acknowledged'],
  ],
  'packages/contract': [
    [10_800, 'methods, routes, errors, limits, states, the generated client'],
    [100, 'what nobody sees in a text of others'],
    [300, 'says what keeps a text of a person from being JSON, and where'],
    [100, 'what an app lacks on a host, mistakes of manifests'],
    [100, 'says what of a value JSON cannot hold'],
    [400, 'what a plugin starts with: arguments, variables, their names, in words'],
    [200, 'judges lines that are meant as messages'],
    [100, 'variables of plugins and what users give them'],
    [100, 'what a plugin starts with, in the words of its user'],
    [200, 'what of the web an app has not, and what it uses instead'],
    [200, 'what an app asks of the browser of its user'],
    [100, 'what a document tells of keys'],
    [100, 'numbers of browsers named in a table'],
  ],
  'packages/create-svc': [[600, 'the templates laid over each other']],
  'packages/host': [
    [33_200, 'the server'],
    [100, 'calls that wait for a yes no longer than they may take'],
    [100, 'isolation and publishing on a host that others can reach'],
    [400, 'answers that nobody reads are not made, proofs of the start token'],
    [100, 'manifests as people save them'],
    [200, 'says what an app would miss on this host'],
    [800, 'reads what any server of models sends, says what to change, and plays servers as rows'],
    [1_400, 'asks each server of models as it takes it, and fits conversations into its context'],
    [100, 'images of tools as images'],
    [200, 'what refusals say in words alone, and more forms of answers and calls'],
    [100, 'says what helps against a failed start of a configured plugin'],
    [200, 'what users give the variables of plugins'],
    [300, 'gives windows and agent sessions processes of their own, learns tools that plugins add'],
    [200, 'what a model gets of a tool, in its own form'],
    [100, 'questions about plugins, and where nobody watches'],
    [200, 'workers and links in the prelude of a document'],
    [100, 'refusals in the words of users, keys that apps leave'],
    [100, 'event streams over call sockets'],
    [100, 'storage of a browser that is not there, by name'],
    [100, 'counts the workers of a document'],
    [200, 'files, paper, clipboard and screen for apps'],
    [100, 'windows that make room, streams in short pieces'],
    [500, 'where a page sees the host, pages of other sites by tokens'],
    [100, 'interfaces of what embedders see'],
    [400, 'events in their order, and notes of those that wait, pages whose token is over'],
  ],
  'packages/mcp': [
    [800, 'MCP servers as plugins'],
    [100, 'other names for tools that the wire does not take'],
    [100, 'tells lines that are meant as messages'],
    [100, 'instructions, hints and failures of servers'],
    [100, 'reads servers that keep to the protocol loosely'],
    [100, 'finds, starts and ends programs on each system'],
  ],
  'packages/node': [
    [1_500, 'clock, archives, public fetch'],
    [100, 'removes what others write to without following their links'],
    [300, 'the rules by which every option is judged'],
    [100, 'names of files that are no part of a bundle'],
    [100, 'renames and names on macOS and Windows'],
  ],
  'packages/plugin': [[1_200, 'tools in a process']],
  'packages/react': [
    [300, 'hooks'],
    [100, 'attributes, events and ref of the window'],
  ],
  'packages/runner': [
    [9_000, 'installs, starts, isolates and reaps plugins'],
    [500, 'counts memory and files that nobody counted, ends namespaces by their first process'],
    [300, 'gives installers a way to their index alone, and packages that attack it'],
    [200, 'tries the walls on each machine'],
    [100, 'judges names of tools'],
    [100, 'judges the options of runners'],
    [100, 'counts what the kernel keeps for the open files of plugins'],
    [100, 'keeps from plugins what the host inherited, and judges what a host says of an install'],
    [400, 'keeps the limits of plugins by cgroups'],
    [
      500,
      'ends what a late call does, keeps processes of apps and windows apart, asks for tools that changed',
    ],
    [300, 'shows programs all that they start with'],
    [100, 'tells lines that are meant as messages'],
    [200, 'says what walls refuse, and what allows it'],
    [100, 'starts published plugins with arguments, variables and folders of their user'],
    [100, 'the last words of servers of MCP'],
    [200, 'carries TCP to the servers of a reach'],
    [200, 'says why a program cannot be started'],
    [100, 'takes the certificates and the proxy of a company'],
    [100, 'leaves values out of failures in any form, shares sessions out between apps'],
    [100, 'says what of a plugin that is late, or wrote what cannot be read'],
  ],
  'packages/sdk': [
    [3_500, 'the client in the iframe'],
    [500, 'svc in workers, over Comlink'],
    [100, 'offers files to the user'],
  ],
  'packages/shell': [
    [8_700, 'the page that svc serves'],
    [200, 'what plugins need from their user'],
    [100, 'what plugins need, in the form that publishes them'],
    [100, 'asks before an app opens another site'],
    [400, 'errors in a place of their own, keys that apps leave, versions that changed'],
    [100, 'a page before the host, the order of windows'],
  ],
  'packages/state': [[2_800, 'ports, drivers in memory, the state as a file']],
  'packages/state-cluster': [
    [4_300, 'PostgreSQL, Redis, questions between hosts'],
    [100, 'signs messages on Redis'],
    [100, 'one question for calls that wait together'],
  ],
  'packages/state-sqlite': [
    [4_000, 'the state in a folder'],
    [100, 'refuses folders and secrets that others own or may change'],
  ],
  'packages/svelte': [[200, 'stores']],
  'packages/testing': [
    [2_400, 'tests of an app without a browser'],
    [600, 'a front that plays proxies, middleware and networks'],
  ],
  'packages/vue': [[200, 'composables']],
  'words of pages': [
    [140_000, 'guides, rulings, reference pages, READMEs'],
    [1_000, 'what isolation counts, refuses and does not promise'],
    [1_000, 'text of others, defaults off loopback, what PostgreSQL and Redis could do'],
    [1_000, 'documents that are bound to their frames, tools of the host that ask'],
    [1_000, 'answers that nobody reads, proofs of the start token, patterns'],
    [1_000, 'what an app misses on a host, and how it is put there'],
    [5_000, 'what servers of models are known for, and what a refusal of one tells'],
    [1_000, 'limits of plugins by cgroups'],
    [1_000, 'what servers of models say in words alone'],
    [1_000, 'what walls show to programs, and what they refuse'],
    [1_000, 'what plugins of others need to run'],
    [1_000, 'lines that are meant as messages'],
    [1_000, 'how users give plugins their keys and folders'],
    [1_000, 'servers by TCP, browsers and programs that do not start'],
    [1_000, 'machines of a company'],
    [1_000, 'what a model gets of a tool, questions about it'],
    [2_000, 'what MCP servers need, and a table of those that were tried'],
    [1_000, 'what of the web an app may use, and its links'],
    [1_000, 'tabs, cookies with ports and windows that died'],
    [2_000, 'what of the web an app has not, and packages that were tried'],
    [1_000, 'svc in workers'],
    [1_000, 'what an app asks of the browser'],
    [1_000, 'places of errors, keys of a page in apps'],
    [1_000, 'whether the connection lives, reloads that keep their place, other browsers'],
    [2_000, 'pages of other sites, and where a page sees the host'],
    [2_000, 'pages with an embedder policy, why an app did not load, windows in other documents'],
    [3_000, 'what stands between a page and its host, and what is told of it'],
    [2_000, 'the element in each framework, macOS and Windows'],
    [2_000, 'bundlers, frameworks and package managers, what is told of what was acknowledged'],
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
