import { installable } from '@svc/runner'
import { defineCommand } from 'citty'
import { type Deployment, inspectDeployment } from '../doctor/inspect-deployment.ts'
import { inspectProxy, type ProxyReport } from '../doctor/inspect-proxy.ts'
import { sayFindings } from '../doctor/say-findings.ts'
import { readHostUrl } from '../host/host-url.ts'
import { isolationHere } from '../host/isolation.ts'
import { hostArgs, optionalCookie } from '../host/sign-in.ts'
import { exitCodes } from '../terminal/failure.ts'

/** `svc doctor`: what this machine has for running plugins, and what is wrong with the servers and the proxy of hosts. */
export const doctor = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'The config file of svc serve: looks at its PostgreSQL and Redis, too.',
    },
    url: {
      type: 'string',
      description:
        'Where pages reach the hosts, such as https://apps.site.org: looks at the proxy there, too.',
    },
    user: hostArgs.user,
    'cookie-file': hostArgs['cookie-file'],
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const url = args.url === undefined ? null : readHostUrl(args.url, '--url')
    const isolation = isolationHere()
    const deployment = args.config === undefined ? null : await inspectDeployment(args.config, process.cwd())
    const proxy = url && (await inspectProxy(url, await optionalCookie(url, args)))
    const findings = [...(deployment?.findings ?? []), ...(proxy?.findings ?? [])]
    const ok = findings.every(({ severity }) => severity === 'hinders')
    const report = {
      isolation: {
        walls: isolation.walls,
        isolator: isolation.isolator,
        problem: isolation.problem,
        hint: isolation.hint,
      },
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      installs: installable({ homebrew: true }),
    }
    if (!args.json) console.log([...say(report), ...sayDeployment(deployment, proxy)].join('\n'))
    else if (deployment === null && proxy === null) console.log(JSON.stringify(report))
    else {
      const { servers = null } = deployment ?? {}
      console.log(JSON.stringify({ ok, ...report, servers, findings, not_tried: proxy?.notTried ?? [] }))
    }
    if (!ok) process.exitCode = exitCodes.failed
  },
})

function say({ isolation, node, platform, installs }: Report): string[] {
  const walls = isolation.walls ? 'yes, by bubblewrap' : `no: ${isolation.problem}`
  return [
    `isolation of plugins: ${walls}`,
    ...(isolation.hint === null ? [] : [`  ${isolation.hint}`]),
    `Node: ${node} on ${platform}`,
    `installs plugins of: ${installs.join(', ')}`,
  ]
}

function sayDeployment(deployment: Deployment | null, proxy: ProxyReport | null): string[] {
  if (deployment === null && proxy === null) return []
  const servers = deployment?.servers
  const findings = [...(deployment?.findings ?? []), ...(proxy?.findings ?? [])]
  const hosts = servers?.hosts.map(({ id, url }) => `${id} at ${url}`) ?? []
  return [
    ...(servers
      ? [
          `state: in ${servers.postgres ?? 'PostgreSQL (away)'} and ${servers.redis ?? 'Redis (away)'}`,
          `hosts that run: ${hosts.join(', ') || 'none'}`,
        ]
      : []),
    ...sayFindings(findings),
    ...(proxy?.notTried.map((what) => `  – not tried: ${what}`) ?? []),
    findings.length === 0 ? 'nothing is wrong' : `${findings.length} to look at`,
  ]
}

interface Report {
  readonly isolation: {
    readonly walls: boolean
    readonly problem: string | null
    readonly hint: string | null
  }
  readonly node: string
  readonly platform: string
  readonly installs: readonly string[]
}
