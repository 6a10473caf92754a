import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { rounds } from './rounds.ts'

const root = path.join(import.meta.dirname, '../../..')
const all = globSync('examples/*/check.ts', { cwd: root }).sort()
/** Before a release: one with jobs of plugins, and one with streams of runs. */
const some = ['examples/agent-chat/check.ts', 'examples/folder-index/check.ts']
const stories = rounds(1, 0) ? all : some

it.each(stories)(
  'the story of %s is told on three hosts behind nginx, over PostgreSQL and Redis',
  { timeout: 300_000 },
  async (file) => {
    const child = spawn(process.execPath, [file], {
      cwd: root,
      env: { ...process.env, SVC_STORY_HOSTS: '3' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code, (await said).join('\n')).toBe(0)
  },
)
