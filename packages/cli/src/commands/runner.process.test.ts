import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { verifies } from '@svc/conformance/verifies'
import type { Host } from '@svc/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSvc, startSvc } from '../testing/cli.ts'
import { openHost } from '../testing/open-host.ts'

/** A command is a process. */
const SLOW_MS = 30_000
let host: Host
let url = ''
let cookie = ''
let dir = ''
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-runner-'))
  ;({ host, url } = await openHost())
  const signedIn = await request('/api/v1/auth/dev-login', 'POST', { user: 'ada' })
  cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
  await host.close()
  rmSync(dir, { recursive: true })
})

const request = (route: string, method: string, body?: object) =>
  fetch(url + route, {
    method,
    headers: {
      origin: url,
      cookie,
      'content-type': 'application/json',
      authorization: `Bearer ${TEST_START_TOKEN}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  })

async function enrol(name: string) {
  const answer = await request('/api/v1/svc-apps/runners', 'POST', { name })
  return (await answer.json()) as { runner_id: string; token: string }
}

describe('svc runner', { timeout: SLOW_MS }, () => {
  it('connects with the token of a file, and ends cleanly on Ctrl-C', async () => {
    const { token } = await enrol('my laptop')
    writeFileSync(path.join(dir, 'token'), `${token}\n`, { mode: 0o600 })
    const { child, ended, sees } = startSvc(['runner', '--host', url, '--token-file', 'token'], { cwd: dir })
    await sees('online as my laptop')
    child.kill('SIGINT')
    const { code, out, err } = await ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`connecting to ${url}\nonline as my laptop; stop it with Ctrl-C\n`)
  })

  it('warns in one line where others can read its token', async () => {
    const { token } = await enrol('an open laptop')
    const file = path.join(dir, 'open-token')
    writeFileSync(file, token)
    chmodSync(file, 0o644)
    const args = ['runner', '--host', url, '--token-file', 'open-token']
    const { child, ended, sees } = startSvc(args, { cwd: dir })
    await sees('online as an open laptop')
    child.kill('SIGINT')
    const { code, err } = await ended
    expect([code, err]).toEqual([
      0,
      'svc: others can read the token in open-token (mode 644); make it private: chmod 600\n',
    ])
  })

  it.each([[[]], [['--homebrew']]])('tells the host what it installs with %j', async (words) => {
    const { token, runner_id } = await enrol('a mac')
    const bin = path.join(dir, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(path.join(bin, 'brew'), '#!/bin/sh\n', { mode: 0o755 })
    const env = { SVC_RUNNER_TOKEN: token, PATH: `${bin}:${process.env.PATH}` }
    const { child, ended, sees } = startSvc(['runner', '--host', url, ...words], { cwd: dir, env })
    await sees('online as a mac')
    const { runners } = (await (await request('/api/v1/svc-apps/runners', 'GET')).json()) as {
      runners: { runner_id: string; machine: { installs: string[] } | null }[]
    }
    const installs = runners.find((one) => one.runner_id === runner_id)?.machine?.installs
    expect(installs).toEqual(expect.arrayContaining(['local', 'npm']))
    expect(installs?.includes('homebrew')).toBe(words.length > 0)
    child.kill('SIGINT')
    await ended
  })

  verifies(
    'runner.token.environment',
    'has no token in its environment, and leaves it in no file',
    async () => {
      const { token } = await enrol('a quiet laptop')
      const tmp = mkdtempSync(path.join(dir, 'tmp-'))
      const env = { SVC_RUNNER_TOKEN: token, TMPDIR: tmp }
      const { child, ended, sees } = startSvc(['runner', '--host', url], { cwd: dir, env })
      await sees('online as a quiet laptop')
      // Other systems show it elsewhere, and only here it is a file.
      if (process.platform === 'linux')
        expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain(token)
      expect(readdirSync(tmp).filter((name) => name.startsWith('svc-token-'))).toEqual([])
      child.kill('SIGINT')
      expect((await ended).code).toBe(0)
    },
  )

  verifies('runner.output', 'goes on when nobody reads its lines any more', async () => {
    const { token, runner_id } = await enrol('a laptop with head')
    const args = ['runner', '--host', url, '--json']
    const { child, ended, sees } = startSvc(args, { cwd: dir, env: { SVC_RUNNER_TOKEN: token } })
    await sees('"state":"connecting"')
    child.stdout.destroy()
    const state = async () =>
      (await host.runners.list('ada')).find((one) => one.runner_id === runner_id)?.state
    await expect.poll(state, { timeout: SLOW_MS }).toBe('online')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  verifies(
    ['link.state', 'link.key'],
    'goes on with its own token, which no other machine can use',
    async () => {
      const { token } = await enrol('a bound laptop')
      const args = ['runner', '--host', url]
      const env = { SVC_RUNNER_TOKEN: token }
      for (const _ of Array(2)) {
        const { child, ended, sees } = startSvc(args, { cwd: dir, env })
        await sees('online as a bound laptop')
        child.kill('SIGINT')
        expect(await ended).toMatchObject({ code: 0, err: '' })
      }
      const copied = await runSvc(args, {
        cwd: dir,
        env: { ...env, XDG_STATE_HOME: path.join(dir, 'another') },
      })
      expect(copied.code).toBe(8)
      expect(copied.err).toMatch(/^svc: (The host does not know this token|This token belongs to)/)
      expect(copied.err).not.toContain(token)
    },
  )

  it('says where it cannot keep its key', async () => {
    const { token } = await enrol('a full laptop')
    writeFileSync(path.join(dir, 'no-folder'), '')
    const env = { SVC_RUNNER_TOKEN: token, XDG_STATE_HOME: path.join(dir, 'no-folder') }
    const { code, err } = await runSvc(['runner', '--host', url], { cwd: dir, env })
    expect(code).toBe(3)
    expect(err).toContain('svc: The key and the token of this machine could not be stored: ENOTDIR')
  })

  verifies('link.token.kept', 'says where its next token cannot be stored', async () => {
    const { token } = await enrol('a stuck laptop')
    const state = path.join(dir, 'stuck')
    // A folder is where the file belongs, whoever runs this test.
    const enrolment = createHash('sha256').update(token).digest('hex').slice(0, 32)
    mkdirSync(path.join(state, 'svc', 'machines', enrolment, 'token-1', 'x'), { recursive: true })
    const env = { SVC_RUNNER_TOKEN: token, XDG_STATE_HOME: state }
    const { child, ended, sees } = startSvc(['runner', '--host', url], { cwd: dir, env })
    await sees('online as a stuck laptop')
    child.kill('SIGINT')
    const { code, err } = await ended
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^svc: the next token of this machine could not be stored.*: E\w+/),
    ])
  })

  it('ends with a sentence and its own code when the machine is revoked', async () => {
    const { token, runner_id } = await enrol('old laptop')
    const env = { SVC_RUNNER_TOKEN: token }
    const { ended, sees } = startSvc(['runner', '--host', url, '--json'], { cwd: dir, env })
    await sees('"state":"online"')
    await request(`/api/v1/svc-apps/runners/${runner_id}`, 'DELETE')
    const { code, err } = await ended
    expect(code).toBe(8)
    expect(err).toContain('svc: The host does not know this token')
    expect(err).not.toContain(token)
  })

  it.each([
    [[], {}, 2, 'no host was named'],
    [['--host', 'URL'], {}, 2, 'there is no token'],
    [['--host', 'http://apps.site.org'], {}, 2, '--host must be https, but for this machine'],
    [['--host', 'URL', '--slots', '0'], {}, 2, '--slots must be a whole number from 1 to 3, got "0"'],
    [['--host', 'URL', '--token', 'svcr_x'], {}, 2, 'there is no option --token'],
    [['--host', 'URL'], { SVC_RUNNER_TOKEN: 'svcr_unknown' }, 8, 'The host does not know this token'],
  ])('%j ends in a sentence and a code', async (args, env, code, sentence) => {
    const ended = await runSvc(['runner', ...args.map((one) => (one === 'URL' ? url : one))], {
      cwd: dir,
      env,
    })
    expect(ended.code).toBe(code)
    expect(ended.err).toContain(sentence)
  })
})
