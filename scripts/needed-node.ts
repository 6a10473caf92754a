/**
 * What a built entry begins with: on a Node that is older than its package says, it throws one sentence, in place of
 * whatever fails later. What it imports must be there: Node looks at imports first. Commands say it by themselves.
 *
 * @param range the `engines.node` of the package, such as `>=22.19`
 */
export function neededNode(range: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(range) ?? []
  if (major === undefined) throw new Error(`engines.node must be such as ">=22.19", got "${range}"`)
  return `{const own=globalThis.process?.versions?.node??"99",[a,b]=own.split(".");if(+a<${major}||+a==${major}&&+b<${minor})throw new Error("svc: Node ${major}.${minor} or newer is needed, this is "+own)}`
}
