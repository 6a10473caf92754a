import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Starts nginx with what stands in `http`, in a folder of its own; `lines` gets that folder. */
export async function runNginx(lines: (dir: string) => string): Promise<() => Promise<void>> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(dir, name)};`,
  )
  const file = path.join(dir, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; error_log stderr; pid ${path.join(dir, 'pid')}; events {}
     http { access_log off; ${temporary.join(' ')}\n${lines(dir)}\n}`,
  )
  await promisify(execFile)('nginx', ['-t', '-p', dir, '-c', file])
  const nginx = spawn('nginx', ['-p', dir, '-c', file], { stdio: 'inherit' })
  return async () => {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
    rmSync(dir, { recursive: true })
  }
}
