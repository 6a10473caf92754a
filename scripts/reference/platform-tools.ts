import { type PlatformToolRow, platformTools } from '../../packages/contract/src/index.ts'
import { argsTable } from './methods.ts'

/** Every platform tool with its arguments. */
export function platformToolsPage(): string {
  const sections = Object.entries<PlatformToolRow>(platformTools).map(
    ([name, { description, dev_safe, destructive, args }]) => {
      const when = dev_safe ? 'also where a manifest names no platform tools' : 'where the manifest names it'
      const waits = destructive ? ' Each call waits for the approval of the user.' : ''
      return `## ${name}\n\n${description} Given ${when}.${waits}\n\n${argsTable(args)}`
    },
  )
  return `# Platform tools

What the host itself can do for the agent of a session. A session has those that the manifest names under
\`ui.host_api.agent.tools\` and the user granted (\`agent.platform_tools\`); \`svc.agent.session.catalog()\` tells an app
which it has and what is missing. \`createHost({ platformTools })\` adds others.

${sections.join('\n\n')}`
}
