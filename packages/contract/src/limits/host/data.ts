/** Storage, uploads, and files of an app under paths. */
export const data = {
  /** One value as JSON. */
  STORAGE_VALUE_MAX_BYTES: 4_194_304,
  /** The metadata of one value as JSON. */
  STORAGE_METADATA_MAX_BYTES: 16_384,
  /** Keys in the scope `app` of one user, or in `shared`. */
  STORAGE_KEYS_PER_SPACE: 20_000,
  /** Keys of one user over all apps, what users share left out. */
  STORAGE_KEYS_PER_USER: 50_000,
  /** What such keys take in the scope `app` of one user, or in `shared`: keys, values, metadata and tags. */
  STORAGE_BYTES_PER_SPACE: 33_554_432,
  /** What these keys of one user take. */
  STORAGE_BYTES_PER_USER: 67_108_864,
  /** Values, run out or not, that one list looks at; past it the page ends early, with a cursor. */
  STORAGE_LIST_PASSED_MAX: 5_000,
  /** What keys, metadata and tags in one list may hold together; past it the page ends early, with a cursor. */
  STORAGE_LIST_MAX_BYTES: 524_288,
  /** What `upload.inline` takes, decoded: its base64 fits the body of a call. */
  UPLOAD_INLINE_MAX_BYTES: 4_194_304,
  /** How long the URL of an upload takes its bytes. */
  UPLOAD_URL_TTL_MS: 600_000,
  /** From the arrival of the bytes to the call that confirms them. */
  UPLOAD_CONFIRM_MS: 600_000,
  /** Files, and uploads under way, of one app of a user. */
  FILES_PER_APP: 200,
  /** Files, and uploads under way, of all apps of a user. */
  FILES_PER_USER: 1_000,
  /** The bytes of the files of one app of a user. */
  FILES_BYTES_PER_APP: 134_217_728,
  /** The bytes of the files of all apps of a user. */
  FILES_BYTES_PER_USER: 536_870_912,
  /** A whole file under a path, decoded: its base64 fits the body of a call. */
  APP_FILE_MAX_BYTES: 4_194_304,
  /** Files under paths in the scope `app` of one user, or in `shared`. */
  APP_FILES_PER_SPACE: 500,
  /** Such files of one user over all apps. */
  APP_FILES_PER_USER: 1_000,
  /** Their bytes in the scope `app` of one user, or in `shared`. */
  APP_FILES_BYTES_PER_SPACE: 134_217_728,
  /** Their bytes of one user over all apps. */
  APP_FILES_BYTES_PER_USER: 536_870_912,
  /** What a write that was interrupted leaves behind goes after this. */
  APP_FILE_WRITE_MS: 60_000,
} as const
