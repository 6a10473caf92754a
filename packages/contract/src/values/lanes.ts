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
