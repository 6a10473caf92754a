/**
 * The methods that may take seconds, by `ns.method`: the bridge sends them on connections of their own,
 * so that they never hold up the quick ones. Made from the `slow` marks of the method table;
 * a test holds the two together. Free of zod, for the page.
 */
export const slowMethods: ReadonlySet<string> = new Set([
  'image.edit',
  'image.generate',
  'llm.complete',
  'llm.embed',
  'tools.invoke',
  'web.fetch',
  'web.search',
])

/**
 * The names of methods that do no harm when a call is carried out twice, in whatever namespace: a call of them is sent again
 * where the connection died before the answer. A test names them.
 */
export const repeatable =
  /(?:^|\.)(?:attach|catalog|get|heartbeat|hello|history|list|read|ready|stat|status|(?:get|list|read)[A-Z_]\w*)$/

/** The events that a window's own document gets too; a test compares them with the table of events. */
export const bundleEvents: ReadonlySet<string> = new Set([
  'close_view',
  'geometry_changed',
  'rpc.stream',
  'title_changed',
  'tool_job',
  'tools.changed',
  'window_focus_changed',
])
