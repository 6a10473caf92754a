import { oneOf } from '@svc/node/options'

const protocols = ['svc', 'mcp'] as const

/** The options that say what a plugin speaks. */
export const protocolArgs = {
  protocol: {
    type: 'string',
    rule: oneOf(...protocols),
    description: 'What the command speaks: svc, or mcp for an MCP server; left out, svc.',
  },
} as const

/** The same for a runner. */
export const protocolOf = ({ protocol }: { readonly protocol?: string | undefined }) =>
  protocol === 'mcp' ? ({ protocol } as const) : {}
