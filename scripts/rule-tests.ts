import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ELSEWHERE = /\.(dom|chromium|faults|cluster)\.test\.ts$/
/** Most tests of these packages start processes, if only through what they test. */
const OF_PROCESSES = ['cli', 'mcp', 'runner']
const SLOW =
  /(@svc\/conformance|'\.)\/testing\/(host|tool-host)(\.ts)?'|@svc\/conformance\/processes'|'node:child_process'/

/** Returns the tests that are over at once: they start no process and open no host that one reaches by HTTP. */
export function ruleTests(root: string): string[] {
  return globSync('{packages,scripts}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
    .filter((file) => !ELSEWHERE.test(file) && !OF_PROCESSES.includes(file.split(path.sep)[1] ?? ''))
    .map((file) => path.join(root, file))
    .filter((file) => !SLOW.test(readFileSync(file, 'utf8')))
    .sort()
}
