import { cgroupProblem, installable, isolationPromises } from '@svc/runner'
import { defineCommand } from 'citty'
import { type Deployment, inspectDeployment } from '../doctor/inspect-deployment.ts'
import { inspectProxy, type ProxyReport } from '../doctor/inspect-proxy.ts'
import { sayFindings } from '../doctor/say-findings.ts'
import { hostUrlRule, readHostUrl } from '../host/host-url.ts'
import { isolationHere } from '../host/isolation.ts'
import { hostArgs, optionalCookie } from '../host/sign-in.ts'
import { exitCodes } from '../terminal/failure.ts'
import { print } from '../terminal/print.ts'

/** `svc doctor`: what this machine has for running plugins, and what is wrong with the servers and the proxy of hosts. */
export const doctor = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'The config file of svc serve: looks at its PostgreSQL and Redis, too.',
    },
    url: {
      type: 'string',
      rule: hostUrlRule,
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
        proven: isolation.walls ? Object.values(isolationPromises) : [],
        isolator: isolation.isolator,
        problem: isolation.problem,
        hint: isolation.hint,
      },
      cgroups: { problem: cgroupProblem() },
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      installs: installable({ homebrew: true }),
    }
    if (!args.json) print([...say(report), ...sayDeployment(deployment, proxy)].join('\n'))
    else if (deployment === null && proxy === null) print(JSON.stringify(report))
    else {
      const { servers = null } = deployment ?? {}
      print(JSON.stringify({ ok, ...report, servers, findings, not_tried: proxy?.notTried ?? [] }))
    }
    if (!ok) process.exitCode = exitCodes.failed
  },
})

function say({ isolation, cgroups, node, platform, installs }: Report): string[] {
  const walls = isolation.walls
    ? 'yes, by bubblewrap; tried on this machine, a plugin'
    : `no: ${isolation.problem}`
  return [
    `isolation of plugins: ${walls}`,
    ...isolation.proven.map((promise) => `  ✓ ${promise}`),
    ...(isolation.hint === null ? [] : [`  ${isolation.hint}`]),
    `limits of plugins: ${cgroups.problem === null ? 'kept by cgroups' : `counted, because ${cgroups.problem}`}`,
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
    readonly proven: readonly string[]
    readonly problem: string | null
    readonly hint: string | null
  }
  readonly cgroups: { readonly problem: string | null }
  readonly node: string
  readonly platform: string
  readonly installs: readonly string[]
}
