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
  /** Drafts of one user that have ended and are kept, beside those that wait: past both the oldest go, however young. */
  DRAFTS_ENDED_PER_USER: 256,
  /** Plugins that one user has. */
  PLUGS_PER_USER: 100,
  /** A plugin that was removed is kept with its versions this long. */
  PLUG_REMOVED_KEPT_MS: 604_800_000,
  /** Removed plugins of one user that are kept, beside as many as there may be: past both the oldest go, however young. */
  PLUGS_REMOVED_PER_USER: 100,
  /** Plugins that a user has described at a time: each is an install on a machine. */
  DESCRIBES_PER_USER: 4,
  /** Versions of one plugin. */
  PLUG_VERSIONS_MAX: 256,
  /** Plugins, and versions of them, that a host holds copies of; what runners have of them, too. */
  PLUG_COPIES_MAX: 1_000,
  /** What the manifests in the versions of all plugins of a user may hold, removed plugins that are kept included. */
  PLUG_VERSIONS_BYTES_PER_USER: 67_108_864,
  /** Plugins to whose variables a user gave values. */
  PLUG_VALUES_PER_USER: 256,
  /** Requests for credentials that are kept of one user: past it the oldest are forgotten, and can be asked again. */
  CREDENTIAL_REQUESTS_PER_USER: 256,
  /** Places that the difference between two versions names. */
  VERSION_CHANGES_MAX: 500,
} as const
