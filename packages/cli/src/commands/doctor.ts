import { installable } from '@svc/runner'
import { defineCommand } from 'citty'
import { isolationHere } from '../host/isolation.ts'

/** `svc doctor`: what this machine has for running plugins. */
export const doctor = defineCommand({
  args: { json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' } },
  run({ args }) {
    const isolation = isolationHere()
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
    console.log(args.json ? JSON.stringify(report) : say(report))
  },
})

function say({ isolation, node, platform, installs }: Report): string {
  const walls = isolation.walls ? 'yes, by bubblewrap' : `no: ${isolation.problem}`
  return [
    `isolation of plugins: ${walls}`,
    ...(isolation.hint === null ? [] : [`  ${isolation.hint}`]),
    `Node: ${node} on ${platform}`,
    `installs plugins of: ${installs.join(', ')}`,
  ].join('\n')
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
