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
  /** Servers that the `reach` of a plugin may name for TCP. */
  REACH_TCP_MAX: 8,
  /** Folders that the `reach` of a plugin may name. */
  REACH_FOLDERS_MAX: 8,
  /** One host of a `reach`, its port included. */
  REACH_HOST_MAX_CHARS: 253,
  /** The path of a `local` distribution, or of a folder of a `reach`. */
  DISTRIBUTION_PATH_MAX_CHARS: 1_024,
  /** The name of a package. */
  DISTRIBUTION_NAME_MAX_CHARS: 214,
  /** Arguments that a published plugin is started with. */
  PLUG_ARGS_MAX: 64,
  /** Variables that it is started with. */
  PLUG_VARIABLES_MAX: 32,
  /** One of these arguments or variables as its author writes it, and its working folder. */
  PLUG_START_TEXT_MAX_CHARS: 1_024,
  /** What a variable of a plugin is for, in words. */
  PLUG_VARIABLE_TEXT_MAX_CHARS: 300,
  /** All arguments and variables of a plugin, as JSON. */
  PLUG_NEEDS_MAX_BYTES: 16_384,
  /** All values that a user gives the variables of one plugin, as JSON. */
  PLUG_VALUES_MAX_BYTES: 16_384,
  /** The value that a user gives a variable of a plugin: the key of a service account has about 2,400. */
  PLUG_VALUE_MAX_CHARS: 8_192,
  /** Arguments, variables and folders of a plugin together, with the values of its user in them. */
  PLUG_START_MAX_CHARS: 131_072,
  /** The least that a plugin may ask for its start. */
  PLUG_START_MIN_MS: 1_000,
  /** The most that a plugin may ask for its start. */
  PLUG_START_MAX_MS: 120_000,
  /** A file of text that a person wrote, such as a manifest or a config, and arguments on stdin. */
  TEXT_FILE_MAX_BYTES: 16_777_216,
} as const
