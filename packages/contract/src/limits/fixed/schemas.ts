/** Arguments of methods and bodies of routes, and what every host does alike. */
export const schemas = {
  /** The name of a user of the development sign-in. */
  USER_MAX_CHARS: 64,
  /** The least length of the operator's token. */
  OPERATOR_TOKEN_MIN_CHARS: 32,
  /** Entries of the audit log that one read may ask for. */
  AUDIT_PAGE_MAX: 1_000,
  /** Entries that it gets where it names no number. */
  AUDIT_PAGE_DEFAULT: 100,
  /** Steps of a run (an answer of the model and the tools that it calls) where the run names none. */
  RECURSION_LIMIT_DEFAULT: 8,
  /** Messages that one read of a session's history may ask for. */
  HISTORY_LIMIT_MAX: 200,
  /** Messages that it gets where it names no number. */
  HISTORY_LIMIT_DEFAULT: 50,
  /** Sessions that a list gets where it names no number. */
  SESSION_LIST_DEFAULT: 50,
  /** The label of a session. */
  SESSION_LABEL_MAX_CHARS: 120,
  /** Names of tools that a session lists, and that a run may narrow them to. */
  GRANTED_TOOLS_MAX: 1_024,
  /** The text that a run begins with. */
  RUN_CONTENT_MAX_CHARS: 1_048_576,
  /** Steps that a run may ask for. */
  RECURSION_LIMIT_MAX: 64,
  /** A longer piece of text goes in several frames. */
  RUN_DELTA_MAX_CHARS: 16_384,
  /** Attachments of one run. */
  ATTACHMENTS_PER_RUN: 6,
  /** The name of a credential. */
  CREDENTIAL_NAME_MAX_CHARS: 128,
  /** The query of `web.search`. */
  WEB_QUERY_MAX_CHARS: 400,
  /** Results that `web.search` may ask for. */
  WEB_RESULTS_MAX: 20,
  /** Results that it gets where it names no number. */
  WEB_RESULTS_DEFAULT: 10,
  /** The title of a window. */
  TITLE_MAX_CHARS: 120,
  /** The address that `window.open_link` opens. */
  LINK_MAX_CHARS: 8_192,
  /** A file that an app offers to its user from its own memory. */
  DOWNLOAD_MAX_BYTES: 268_435_456,
  /** Numbers of a body whose text JavaScript would change, such as `1.0` and `1e400`; past it a body is refused. */
  EXACT_NUMBERS_MAX: 20_000,
  /** The longest `id` of a call. */
  CALL_ID_MAX_CHARS: 256,
  /** The id or handle of a plugin, and the name of a parameter. */
  TOOL_ID_MAX_CHARS: 256,
  /** The name of a tool, as MCP has it. */
  TOOL_NAME_MAX_CHARS: 128,
  /** How often a host looks for jobs that wait for a runner which is connected to it. */
  JOB_TAKE_UP_MS: 5_000,
  /** Progress that one read of a job may ask for. */
  JOB_GET_LIMIT_MAX: 500,
  /** Jobs that a list gets where it names no number. */
  JOB_LIST_LIMIT_DEFAULT: 20,
  /** The tag that an app puts on a job. */
  CLIENT_TAG_MAX_CHARS: 120,
  /** A key of storage. */
  STORAGE_KEY_MAX_CHARS: 1_024,
  /** The cursor of a list of keys or files. */
  CURSOR_MAX_CHARS: 16_384,
  /** Keys, or files, that a list gets where it names no number. */
  STORAGE_LIST_DEFAULT: 100,
  /** Keys, or files, that one list may ask for. */
  STORAGE_LIST_MAX: 1_000,
  /** The shortest life that a value may be given. */
  STORAGE_TTL_MIN_S: 1,
  /** The longest life that a value may be given. */
  STORAGE_TTL_MAX_S: 31_536_000,
  /** Tags of one value. */
  STORAGE_TAGS_MAX: 64,
  /** One tag. */
  STORAGE_TAG_MAX_CHARS: 120,
  /** One upload through its URL. */
  UPLOAD_MAX_BYTES: 20_971_520,
  /** The purpose that an app names for an upload. */
  UPLOAD_PURPOSE_MAX_CHARS: 64,
  /** The file name of an upload. */
  UPLOAD_FILENAME_MAX_CHARS: 255,
  /** The path of a file of an app. */
  APP_FILE_PATH_MAX_CHARS: 1_024,
  /** The media type of such a file. */
  APP_FILE_MIME_MAX_CHARS: 127,
  /** The name of a model. */
  MODEL_NAME_MAX_CHARS: 128,
  /** Names of models that a call may hint at. */
  MODEL_HINTS_MAX: 32,
  /** Texts of one `llm.embed`. */
  EMBED_INPUTS_MAX: 128,
  /** The prompt of an image. */
  IMAGE_PROMPT_MAX_CHARS: 8_000,
  /** Images that one call may ask for. */
  IMAGES_PER_CALL: 4,
  /** What names the image that is to be changed. */
  IMAGE_REF_MAX_CHARS: 1_024,
  /** The least side of an image. */
  IMAGE_SIDE_MIN_PX: 16,
  /** The greatest side of an image. */
  IMAGE_SIDE_MAX_PX: 4_096,
} as const
