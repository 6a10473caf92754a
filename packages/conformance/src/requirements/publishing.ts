import { built, pending } from './row.ts'

const publishingComes = 'comes with the publishing of plugins'

/** Plugins, drafts and versions (spec §2.12, §3.4, §4.6, §7.3). The tables of states stand. */
export const publishing = [
  ...built('3.4', {
    'states.reservation.commit': 'The table commits a reserved id once, or lets it expire.',
    'states.visibility': 'The table leads each visibility to each of the three.',
  }),
  ...pending('2.12', publishingComes, {
    'plug.tool_id.format': 'A tool_id is tool-, the handle of the author, the slug and a unique part.',
    'plug.tool_id.minted': 'A tool_id is never taken from a client.',
    'plug.type': 'The type of a plugin is tool or skill.',
    'plug.manifest': 'The manifest is what describe answers; tools, credentials and version come from it.',
    'plug.version.semver': 'The version of a plugin is SemVer.',
    'plug.distribution.types': 'A plugin comes as uv, npm, homebrew, binary, pipx or local.',
    'plug.distribution.names': 'A distribution names its package and executable.',
    'plug.distribution.binary': 'A binary names a URL for each platform.',
    'plug.distribution.local': 'A local plugin names an absolute path to an archive or executable.',
    'plug.descriptive': 'Logo, README, prompts and tags may be given.',
    'plug.visibility': 'A plugin is private, app_bundled or public.',
    'plug.snapshot': 'Promoting a plugin for the first time freezes a snapshot, each later version another.',
  }),
  ...pending('3.4', publishingComes, {
    'draft.mint': 'Minting reserves a tool_id as a draft.',
    'draft.expiry': 'A draft that nobody commits ends after a day.',
    'draft.commit': 'Committing keeps the tool_id and makes the plugin private unless told otherwise.',
    'plug.promotion.snapshot': 'The first promotion freezes the first snapshot.',
    'plug.version.bump': 'A new version bumps the patch unless the manifest sets one.',
    'plug.version.unchanged': 'A new version of an unchanged manifest is refused.',
  }),
  ...pending('4.6', publishingComes, {
    'route.drafts.mint': 'POST /plugs/my/drafts mints.',
    'route.drafts.commit': 'POST /plugs/my/drafts/{id}/commit makes the plugin.',
    'route.tools.create': 'POST /plugs/my/tools makes a plugin and drops a tool_id in the body.',
    'publishing.mint_first': 'In the management page minting comes before creating, the id is read-only.',
  }),
  ...pending('7.3', publishingComes, {
    'error.no_content_changes': 'An unchanged new version is refused with a sentence that says so.',
  }),
] as const
