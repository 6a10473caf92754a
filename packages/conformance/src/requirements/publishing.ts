import { built } from './row.ts'

/** Plugins, drafts and versions. */
export const publishing = [
  ...built('0041-publishing-plugins', {
    'states.reservation.commit': 'The table commits a reserved id once, or lets it expire.',
  }),
  ...built('docs/reference/states.md', {
    'states.visibility': 'The table leads each visibility to each of the three.',
  }),
  ...built('0092-records-of-plugins', {
    'plug.tool_id.format': 'A tool_id is tool-, the handle of the author, the slug and a unique part.',
    'plug.tool_id.minted': 'A tool_id is never taken from a client.',
  }),
  ...built('docs/guides/publishing.md', {
    'plug.type': 'The type of a plugin is tool or skill.',
  }),
  ...built('0092-records-of-plugins', {
    'plug.record':
      'A record of a plugin has distribution_type, package_name and executable_name beside its distribution.',
    'plug.manifest.whole':
      'A manifest is the JSON that describe answered: unknown members are kept, shown, and count as content.',
    'route.plugs.configured':
      'GET /plugs begins with the own plugins and those that the operator configured, with configured: true.',
    'plug.manifest': 'The manifest has the form that describe answers; the version comes from it.',
  }),
  ...built('0053-walls-around-plugins', {
    'plug.reach.declared':
      'A manifest may name the hosts and folders that the plugin reaches; addresses, whole domains and folders of the system are refused.',
  }),
  ...built('0106-asking-about-a-plugin', {
    'plug.reach.stored':
      'A stored plugin whose reach is not one does not run and is not asked about; lists and calls say why.',
    'plug.reach.told': 'What a plugin may reach has one digest and one plain sentence.',
  }),
  ...built('0164-what-a-plugin-needs-to-start', {
    'plug.distribution.keys':
      'A key that a distribution does not have is an error with the nearest right one.',
    'plug.distribution.needs': 'A distribution says with which arguments and variables its program starts.',
    'plug.needs.filled':
      'A published plugin starts with its arguments, variables and folders, the values of its user in them.',
    'plug.needs.judged': 'A runner judges what a plugin starts with once it has the values of its user.',
    'plug.variables.given':
      'A user gives the variables of a plugin values, for himself; a secret never comes back.',
    'plug.variables.missing':
      'A plugin without a value that it needs is not started, and says so to its user.',
    'plug.variables.judged': 'Values are judged when they are given.',
    'plug.variables.whose': 'Who may run a plugin may give it values.',
    'plug.variables.gone': 'Values go with the plugin and with their user; an export has no secret.',
  }),
  ...built('0090-versions-of-plugins', {
    'plug.version.semver': 'The version of a plugin is SemVer.',
  }),
  ...built('0043-how-plugins-come-onto-a-machine', {
    'plug.distribution.types': 'A plugin comes as uv, npm, homebrew, binary, pipx or local.',
  }),
  ...built('docs/guides/publishing.md', {
    'plug.distribution.names': 'A distribution names its package and executable.',
    'plug.distribution.binary': 'A binary names a URL for each platform.',
  }),
  ...built('0091-a-frozen-version-names-one-package', {
    'plug.distribution.integrity': 'A distribution of npm may have the integrity of its package.',
  }),
  ...built('docs/guides/publishing.md', {
    'plug.distribution.local': 'A local plugin names an absolute path to an archive or executable.',
    'plug.descriptive': 'Logo, README, prompts and tags may be given.',
    'plug.visibility': 'A plugin is private, app_bundled or public.',
  }),
  ...built('0090-versions-of-plugins', {
    'plug.snapshot': 'Promoting a plugin for the first time freezes a snapshot, each later version another.',
  }),
  ...built('0097-local-files-and-binaries', {
    'plug.install.local': 'A local plugin is an archive that is unpacked, or a single executable.',
  }),
  ...built('0043-how-plugins-come-onto-a-machine', {
    'plug.install.executable': 'executable_name says which of several executables is started.',
  }),
  ...built('0097-local-files-and-binaries', {
    'plug.install.binary': 'A binary is fetched from the URL of the platform of the machine.',
  }),
  ...built('0043-how-plugins-come-onto-a-machine', {
    'plug.install.npm': 'An npm package is installed by npm, one version where one is named.',
  }),
  ...built('0096-what-npm-and-uv-install', {
    'plug.install.integrity':
      'An npm package whose integrity was published is installed with just those bytes, whatever its registry has later.',
    'plug.install.shrinkwrap':
      'The npm-shrinkwrap.json of a package decides the versions of what it needs; without one they are the newest that fitted when it was frozen.',
    'plug.install.frozen':
      'Of what a frozen version needs npm and uv install nothing that was published more than ten minutes after it was frozen, as far as the registry of the package tells times; other registries are not looked at.',
  }),
  ...built('0043-how-plugins-come-onto-a-machine', {
    'plug.install.python': 'A package of uv or pipx is installed by it, into a folder of its own.',
    'plug.install.homebrew': 'A formula is installed on an enrolled machine alone.',
  }),
  ...built('docs/guides/publishing.md', {
    'plug.install.absent':
      'Where the package manager is not there, the plugin is plug_unavailable and the sentence says what to install.',
  }),
  ...built('0092-records-of-plugins', {
    'plug.manifest.described': 'Without a manifest the runner asks the plugin to describe itself.',
  }),
  ...built('0041-publishing-plugins', {
    'draft.mint': 'Minting reserves a tool_id as a draft.',
    'draft.expiry': 'A draft that nobody commits ends after a day.',
    'draft.commit': 'Committing keeps the tool_id and makes the plugin private unless told otherwise.',
    'plug.promotion.snapshot': 'The first promotion freezes the first snapshot.',
  }),
  ...built('0091-a-frozen-version-names-one-package', {
    'plug.frozen.exact':
      'A version with an npm, uv or pipx package is frozen where it names one exact version of it, and refused else.',
    'plug.frozen.found':
      'svc plug publish fills in the version and the integrity of an npm package as the registry has them.',
  }),
  ...built('0090-versions-of-plugins', {
    'plug.version.bump': 'A new version bumps the patch unless the manifest sets one.',
    'plug.version.unchanged': 'A new version of an unchanged manifest is refused.',
  }),
  ...built('0047-which-version-a-call-gets', {
    'plug.reach':
      "A plugin is its owner's; a public one is everybody's; one that is bundled is for users of its owner's apps that declare it.",
    'plug.reach.hidden': 'A plugin that a user may not reach reads like one that is not there.',
  }),
  ...built('docs/reference/routes.md', {
    'route.drafts.mint': 'POST /plugs/my/drafts mints.',
    'route.drafts.commit': 'POST /plugs/my/drafts/{id}/commit makes the plugin.',
  }),
  ...built('docs/guides/publishing.md', {
    'route.tools.create': 'POST /plugs/my/tools makes a plugin and drops a tool_id in the body.',
    'publishing.mint_first': 'In the management page minting comes before creating, the id is read-only.',
  }),
  ...built('docs/reference/errors.md', {
    'error.no_content_changes': 'An unchanged new version is refused with a sentence that says so.',
  }),
  ...built('0047-which-version-a-call-gets', {
    'plug.skill.not_called': 'A skill is in no list of tools, and invoking it is invalid_arg.',
  }),
  ...built('0041-publishing-plugins', {
    'plug.commit.left':
      'A commit or create whose client leaves while its plugin is described frees its place within a second and makes nothing.',
  }),
  ...built('0092-records-of-plugins', {
    'plug.describe.bounded':
      'A user has a bounded number of plugins described at a time, and each as it is then.',
  }),
  ...built('0099-deployments-of-plugins', {
    'plug.standing': 'The owner reads how a plugin stands with the own runners, and what is wrong with it.',
    'plug.deployments.fair': 'What a user has deployed takes no place from those who have less.',
    'plug.live.redeployed': 'An edit of the live record is deployed anew for its owner.',
  }),
  ...built('0041-publishing-plugins', {
    'decision.draft.once': 'A second commit of a draft is a conflict; there are never two plugins of one.',
    'decision.draft.expired': 'A commit 24 hours after the mint, or later, is draft_expired.',
  }),
  ...built('0090-versions-of-plugins', {
    'decision.version.next':
      'A version equal to the latest bumps the patch, a higher one is taken, a lower one refused.',
    'decision.version.unchanged':
      'What counts as content is the manifest without its version, and the distribution.',
  }),
  ...built('0041-publishing-plugins', {
    'decision.version.one_wins': 'Of two that publish at the same time one wins, the other reads conflict.',
  }),
  ...built('0090-versions-of-plugins', {
    'decision.version.mark': 'A version is deprecated or yanked with a reason and a successor.',
    'decision.version.yanked': 'A yanked version is not offered.',
  }),
  ...built('0100-pins-of-releases', {
    'decision.version.yanked_runs': 'A yanked version keeps running where a release pinned it.',
  }),
] as const
