import type { ClusterFinding } from './finding.ts'
import type { HostRow } from './postgres-facts.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const ANSWER_MS = 3_000

/** Whether anything answers at an address, of which any answer will do. */
async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) })
    return true
  } catch {
    return false
  }
}

/** What is wrong with the addresses at which hosts answer each other, as this machine sees them. */
export async function judgeHosts(hosts: readonly HostRow[]): Promise<ClusterFinding[]> {
  const urls = [...new Set(hosts.map(({ url }) => url))]
  const local = urls.filter((url) => LOOPBACK.test(URL.parse(url)?.hostname ?? ''))
  const silent: string[] = []
  for (const url of urls) if (!(await answers(url))) silent.push(url)
  const findings: ClusterFinding[] = []
  if (local.length > 0 && local.length < urls.length)
    findings.push({
      id: 'hosts.loopback',
      severity: 'fails',
      what: `of hosts on several machines some answer the others on loopback only: ${local.join(', ')}`,
      why: 'What another host asks them never arrives.',
      change: "Give each host data.peers: { address: '10.0.0.5', url: 'http://10.0.0.5:8788', port: 8788 }.",
    })
  if (silent.length > 0)
    findings.push({
      id: 'hosts.silent',
      severity: 'hinders',
      what: `hosts do not answer this machine at ${silent.join(', ')}`,
      why: 'If other hosts reach them no better, what they ask fails: calls of machines and runs that are there.',
      change: 'Look at data.peers and the firewall. A host that was killed is forgotten after a minute.',
    })
  return findings
}
