import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Runs a script where no tool is on PATH. */
function bare(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, script), ...args],
    {
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    },
  )
  return { status, out: stdout, err: stderr }
}

it('names the steps that there are', () => {
  const { status, err } = bare('test.ts', 'quick')
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(
      /^svc: there is no step "quick"; there are all, release, check, rules, story, plugin, process,/,
    ),
  ])
})

it('fails a step that somebody asked for where its tool is missing, and says how to get it', () => {
  const { status, out } = bare('test.ts', 'story')
  expect([status, out]).toEqual([1, expect.stringContaining('chromium: not installed; npm run tools')])
  expect(out).toMatch(/^tests: 0 passed, 1 failed, 0 skipped$/m)
})

it('says how to get each tool, and installs none unasked', () => {
  const { status, err } = bare('install-tools.ts')
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(/^svc: missing are\n {2}chromium: install Chromium or Chrome/),
  ])
  expect(err).toMatch(
    /As root on Debian `npm run tools` installs .*bubblewrap|npm run tools -- --yes installs them/,
  )
})

it('refuses an option of the tools that there is not', () => {
  const { status, err } = bare('install-tools.ts', '--all')
  expect([status, err]).toEqual([1, expect.stringMatching(/^svc: Unknown option '--all'/)])
})
