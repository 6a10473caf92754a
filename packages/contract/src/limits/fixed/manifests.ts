/** Manifests of apps and plugins, and lists of plugins. */
export const manifests = {
  /** The name of a view. */
  VIEW_NAME_MAX_CHARS: 64,
  /** The least width and height that a view may name. */
  VIEW_SIZE_MIN_PX: 120,
  /** The greatest width and height that a view may name. */
  VIEW_SIZE_MAX_PX: 10_000,
  /** The width of a view that names none. */
  VIEW_WIDTH_DEFAULT_PX: 640,
  /** The height of a view that names none. */
  VIEW_HEIGHT_DEFAULT_PX: 480,
  /** The slug of an app or plugin. */
  SLUG_MAX_CHARS: 40,
  /** The name of an app. */
  APP_NAME_MAX_CHARS: 80,
  /** Views of an app. */
  VIEWS_MAX: 32,
  /** Plugins that an app may require, and that it may name as optional. */
  PLUGS_MAX: 64,
  /** The name of a plugin. */
  PLUG_NAME_MAX_CHARS: 80,
  /** The version of a plugin. */
  PLUG_VERSION_MAX_CHARS: 64,
  /** The verified name of a publisher. */
  PUBLISHER_NAME_MAX_CHARS: 64,
  /** What the author of a tool_id is called in it. */
  PLUG_AUTHOR_MAX_CHARS: 40,
  /** The README of a plugin. */
  PLUG_README_MAX_CHARS: 65_536,
  /** Sample prompts of a plugin. */
  PLUG_PROMPTS_MAX: 16,
  /** One sample prompt. */
  PLUG_PROMPT_MAX_CHARS: 1_000,
  /** Tags of a plugin. */
  PLUG_TAGS_MAX: 16,
  /** One tag of a plugin. */
  PLUG_TAG_MAX_CHARS: 40,
  /** Plugins on a page of a list that names no number. */
  PLUG_LIST_DEFAULT: 50,
  /** Plugins that one page may ask for. */
  PLUG_LIST_MAX: 100,
  /** Tools of a published manifest. */
  PLUG_TOOLS_MAX: 256,
  /** Parameters of one tool of a published manifest. */
  PLUG_PARAMETERS_MAX: 64,
  /** The text of one description in a published manifest. */
  PLUG_DESCRIPTION_MAX_CHARS: 4_000,
  /** Entries that a manifest may list as `credentials`. */
  PLUG_CREDENTIALS_MAX: 64,
  /** Entries that a manifest may list as `host_capabilities`. */
  PLUG_CAPABILITIES_MAX: 64,
  /** Hosts that the `reach` of a plugin may name. */
  REACH_HOSTS_MAX: 16,
  /** Folders that the `reach` of a plugin may name. */
  REACH_FOLDERS_MAX: 8,
  /** One host of a `reach`, its port included. */
  REACH_HOST_MAX_CHARS: 253,
  /** The path of a `local` distribution, or of a folder of a `reach`. */
  DISTRIBUTION_PATH_MAX_CHARS: 1_024,
  /** The name of a package. */
  DISTRIBUTION_NAME_MAX_CHARS: 214,
} as const
