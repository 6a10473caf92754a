/** Published plugins and their credentials. */
export const plugins = {
  /** Credentials of one plugin that are read. */
  CREDENTIALS_PER_PLUGIN: 64,
  /** What the operator's side may take for one answer about them. */
  CREDENTIALS_MS: 10_000,
  /** How long a minted draft of a plugin waits for its commit. */
  DRAFT_LIFETIME_MS: 86_400_000,
  /** A draft that was committed or has expired stays known this long after its end. */
  DRAFT_KEPT_MS: 604_800_000,
  /** Drafts of one user that wait for their commit. */
  DRAFTS_PER_USER: 64,
  /** Plugins that one user has. */
  PLUGS_PER_USER: 100,
  /** Plugins that a user has described at a time: each is an install on a machine. */
  DESCRIBES_PER_USER: 4,
  /** Versions of one plugin. */
  PLUG_VERSIONS_MAX: 256,
  /** Plugins, and versions of them, that a host holds copies of; what runners have of them, too. */
  PLUG_COPIES_MAX: 1_000,
  /** Places that the difference between two versions names. */
  VERSION_CHANGES_MAX: 500,
} as const
