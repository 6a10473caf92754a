import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { type Fields, fieldsOf } from './tool-list.ts'

/**
 * What a server says of itself, as the client takes it, which refuses all of it for one member that is missing or of another
 * kind. What a server says that it can is not asked here, and a version that is not known is taken for the one that it was
 * asked for: tools are listed and called in the same way in all of them.
 */
export function tidyHello(
  { protocolVersion, serverInfo, instructions }: Fields,
  { protocolVersion: asked }: Fields = {},
  log: (sentence: string) => void,
): Fields {
  const { name, version } = fieldsOf(serverInfo) ?? {}
  const isKnown = SUPPORTED_PROTOCOL_VERSIONS.some((one) => one === protocolVersion)
  if (!isKnown)
    log(`its version of MCP is not known here: ${JSON.stringify(protocolVersion) ?? 'it says none'}`)
  return {
    protocolVersion: isKnown ? protocolVersion : asked,
    capabilities: {},
    serverInfo: { name: textOf(name), version: textOf(version) },
    ...(typeof instructions === 'string' && { instructions }),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
