/** Apps, bundles and archives (docs/decisions/0014-archives.md). */
export const apps = {
  /** The files of a draft that another one replaced stay this long, and while a document of theirs is open. */
  BUNDLE_KEEP_MS: 3_600_000,
  /** Apps of one user. */
  APPS_PER_USER: 100,
  /** Apps that one user has installed; those of the operator come beside them. */
  INSTALLS_PER_USER: 500,
  /** Releases of one app. */
  RELEASES_PER_APP: 100,
  /**
   * What the drafts and releases of all apps of a user may hold, and replaced drafts that a window still shows: files,
   * their paths and manifests.
   */
  BUNDLES_BYTES_PER_USER: 536_870_912,
  /** What the path of one file adds to that, beside its own characters. */
  BUNDLE_ENTRY_BYTES: 128,
  /** The body of a push of an app. */
  DRAFT_BODY_MAX_BYTES: 67_108_864,
  /** Entries of an archive. */
  ARCHIVE_ENTRIES_MAX: 10_000,
  /** All entries of an archive, unpacked. */
  ARCHIVE_BYTES_MAX: 268_435_456,
  /** One entry of an archive, unpacked. */
  ARCHIVE_ENTRY_MAX_BYTES: 67_108_864,
  /** Folders of a path in an archive. */
  ARCHIVE_DEPTH_MAX: 32,
  /** One name in a path in an archive. */
  ARCHIVE_NAME_MAX_BYTES: 255,
  /** How many times as large as its archive what is unpacked may be. */
  ARCHIVE_RATIO_MAX: 100,
  /** One extended header of a tar archive. */
  ARCHIVE_META_MAX_BYTES: 65_536,
} as const
