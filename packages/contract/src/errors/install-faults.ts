/**
 * What its author can put right about a distribution, wherever it is found out: `details.reason` of an `invalid_arg`.
 * What another try may cure (a registry that does not answer, a file that changes, a machine without the package
 * manager) is `plug_unavailable`.
 */
export const installFaults = {
  path_missing: 'There is nothing at the path on the machine of the runner.',
  path_is_link: 'The path leads to a link, or over one that leads to itself.',
  path_is_folder: 'The path leads to a folder.',
  path_not_a_file: 'The path leads to a pipe, a socket or a device.',
  path_unreadable: 'The runner may not read what is at the path.',
  path_unsafe:
    'The path is not absolute, the file is set-uid, or everybody can change it or put another in its place.',
  file_too_large: 'The file has more bytes than an archive may have.',
  archive_refused: 'The archive is damaged, or breaks a rule of archives.',
  no_executable: 'It has nothing that can be started, or not the one that is named.',
  executable_unclear: 'It has more than one that can be started, and none is named.',
  not_executable: 'What is named is neither a program of this platform nor a script.',
  digest_differs: 'The bytes at the URL are not those whose sha256 was published.',
  integrity_differs: 'The npm package is not the one whose integrity was published.',
  platform_missing: 'There is no URL for the platform of the runner.',
  url_refused: 'The URL is not one that a runner fetches from.',
} as const

/** One of them. */
export type InstallFault = keyof typeof installFaults
