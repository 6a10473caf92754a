import type { Access, MethodRow } from '../../packages/contract/src/index.ts'

/** Access → what has to be in the manifest, and what the user has to grant. */
const words: Readonly<Record<Access, (ns: string, method: string) => string>> = {
  always: () => 'Always allowed: the manifest needs no line for it.',
  declared: (ns, method) => `Manifest: \`"ui": {"host_api": {"${ns}": ["${method}"]}}\`.`,
  plugs: () => 'Manifest: a plug in `required_plugs` or `optional_plugs`, or `ui.host_api.tools`.',
  submode: () => 'Manifest: `"ui": {"host_api": {"agent": {"session": {"auto": true}}}}`, or its `fixed`.',
  image_grant: granted('image_grant'),
  upload_grant: granted('upload_grant'),
  web_grant: granted('web_grant'),
  credentials_grant: granted('credentials_grant'),
}

/** What admits a method, in a sentence: its line of the manifest and its grant. */
export const accessWords = (
  ns: string,
  method: string,
  { access, declaredBy = method, stub }: MethodRow,
): string =>
  `${words[access](ns, declaredBy)}${stub ? ' Not offered: a call fails with `not_implemented`.' : ''}`

function granted(grant: string) {
  return (ns: string, method: string) =>
    `Manifest: \`"ui": {"host_api": {"${ns}": ["${method}"]}}\`; the user grants \`${grant}\`.`
}
