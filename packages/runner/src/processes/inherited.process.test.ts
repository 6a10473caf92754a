import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { skipWithoutWalls } from '../testing/hostile-scene.ts'

skipWithoutWalls()

const HOST = new URL('../testing/lone-caller.ts', import.meta.url).pathname

verifies.each('wall.plugin.view')([17, 40, 300])(
  'a plugin gets no folder that whoever started its host left open as %i',
  async (number) => {
    const folder = openSync(tmpdir(), 'r')
    try {
      const open = Array.from({ length: number - 3 }, () => 'ignore' as const)
      const host = spawn(process.execPath, [HOST, 'holds a file of the runner open'], {
        stdio: ['ignore', 'pipe', 'inherit', ...open, folder],
      })
      const [said] = await Promise.all([text(host.stdout as Readable), once(host, 'exit')])
      expect(JSON.parse(said)).toMatchObject({ ok: true, payload: { got: null } })
    } finally {
      closeSync(folder)
    }
  },
)
