/**
 * Runs an MCP server over stdio as a plugin: speaks the plugin protocol of spec §4.5 on this process's own stdin and
 * stdout, and MCP with the child that `command` starts. Ends when stdin ends.
 */
export async function serveMcp(command: readonly [string, ...string[]]): Promise<void> {
  throw new Error(`not built: ${command.join(' ')}`)
}
