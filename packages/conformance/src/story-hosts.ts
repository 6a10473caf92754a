import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Cluster, openCluster } from '@svc/state-cluster'
import { freePort } from './testing/free-port.ts'
import { startPostgresServer } from './testing/postgres-server.ts'
import { startRedisServer } from './testing/redis-server.ts'

/** What a harness of a story starts with: nothing, or what it shares with others. */
export interface StoryHost {
  readonly memory?: Pick<Cluster, 'store' | 'bus' | 'blobs' | 'secret'>
  readonly host?: { readonly startToken: string }
}

/** A harness of a story, or what stands before several. */
export interface StoryHarness {
  readonly url: string
  readonly startUrl: string
  close(): Promise<void>
}

const START_TOKEN = 'x'.repeat(32)

/** Starts so many harnesses over one PostgreSQL and one Redis, behind an nginx that gives each request to the next. */
export async function startStoryHosts(
  count: number,
  start: (more: StoryHost) => Promise<StoryHarness>,
): Promise<StoryHarness> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    const postgres = await startPostgresServer()
    closers.push(() => postgres.close())
    const redis = await startRedisServer()
    closers.push(() => redis.close())
    const urls: string[] = []
    for (let n = 0; n < count; n++) {
      const cluster = await openCluster({ postgres: postgres.url, redis: redis.url })
      closers.push(() => cluster.close())
      const { store, bus, blobs, secret } = cluster
      const memory = { store, bus, blobs, secret }
      const harness = await start({ memory, host: { startToken: START_TOKEN } })
      closers.push(() => harness.close())
      urls.push(harness.url)
    }
    const port = await freePort()
    const stop = await startNginx(port, urls)
    closers.push(stop)
    const url = `http://127.0.0.1:${port}`
    return { url, startUrl: `${url}/?token=${START_TOKEN}`, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * nginx in round-robin. Requests that may be sent again go to the next host where one is gone. It closes an idle connection
 * sooner than a host, which closes one after 5 s, maybe under a request.
 */
async function startNginx(port: number, urls: readonly string[]): Promise<() => Promise<void>> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(dir, name)};`,
  )
  const servers = urls.map((url) => `server ${new URL(url).host} max_fails=0;`)
  const file = path.join(dir, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; error_log stderr; pid ${path.join(dir, 'pid')}; events {}
    http {
      access_log off; ${temporary.join(' ')}
      upstream hosts { ${servers.join(' ')} keepalive 32; keepalive_timeout 4s; }
      map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 200m;
        location / {
          proxy_pass http://hosts;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_upgrade;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_buffering off;
          proxy_request_buffering off;
          proxy_read_timeout 1h;
        }
      }
    }`,
  )
  const nginx: ChildProcess = spawn('nginx', ['-p', dir, '-c', file], { stdio: 'inherit' })
  const kill = () => void nginx.kill('SIGKILL')
  process.once('exit', kill)
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    if (tries > 200 || nginx.exitCode !== null) throw new Error('nginx does not answer')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return async () => {
    process.off('exit', kill)
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
    rmSync(dir, { recursive: true })
  }
}
