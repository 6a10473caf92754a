import { built, pending } from './row.ts'

/** Stubs, the remaining namespaces and versioning. */
export const others = [
  ...built('docs/reference/methods.md', {
    'stub.artifact': 'artifact.create, update and delete are not_implemented.',
    'stub.fs': 'fs.read and write are not_implemented.',
    'stub.prefs': 'prefs.get is not_implemented.',
    'files.offered': 'files.* is offered.',
    'web.offered': 'web.* is offered.',
    'apps.offered': 'apps.* is offered.',
    'credentials.offered': 'credentials.* is offered.',
  }),
  ...built('docs/guides/other-apps-and-web.md', {
    'mobile.shell': 'mobile.* answers only inside the mobile shell.',
  }),
  ...pending(
    'docs/guides/other-apps-and-web.md',
    'there is no mobile shell, so every host answers not_implemented',
    {
      'mobile.in_shell': 'Inside the mobile shell mobile.* does what it names.',
    },
  ),
  ...built('docs/reference/methods.md', {
    'files.write':
      'write takes text or strict base64 with a media type, and answers etag, generation and size.',
  }),
  ...built('docs/guides/files.md', {
    'files.write.cap': 'A file of an app has at most 4 MiB.',
    'files.read': 'read answers a file in the form that it was written in, or in the one asked for.',
    'files.stat': 'stat tells of a file without its bytes.',
  }),
  ...built('docs/reference/methods.md', {
    'files.list': 'list answers files by prefix, a page at a time, behind cursor.',
    'files.missing': 'read, stat and delete of a path without a file are not_found.',
  }),
  ...built('0074-files-under-paths', {
    'files.generation': 'Generations of a path go on after a delete.',
    'files.forgotten': 'A file that went, or that was refused, leaves no record.',
    'files.if_match': 'write and delete keep to if_match as storage does; of writers with one etag one wins.',
    'files.paths': 'A path is parts joined by single slashes; what leads elsewhere is refused.',
    'files.owner': 'Files are of a user in an app, or of all users of the app in the scope shared.',
  }),
  ...built('docs/guides/files.md', {
    'files.caps': 'Files and their bytes are capped by scope of an app and by user.',
  }),
  ...built('0074-files-under-paths', {
    'files.dropped': 'Bytes that no file names go, whatever broke off; those of a file stay.',
  }),
  ...built('docs/guides/files.md', {
    'files.uninstalled': 'The files that a user has in an app go when it is uninstalled; shared ones stay.',
  }),
  ...built('docs/guides/other-apps-and-web.md', {
    'web.fetch': 'fetch reads a public URL whole: as text where it is text in UTF-8, else as base64.',
    'web.fetch.refused':
      'fetch keeps to the rule for URLs that users give, and refuses what is over its cap.',
    'web.search': 'search is not_implemented unless the host has one; hello says which.',
  }),
  ...built('docs/reference/methods.md', {
    'web.search.results': 'search answers at most limit results with a title, a link and a snippet.',
  }),
  ...built('docs/guides/other-apps-and-web.md', {
    'web.search.settles': 'A search that fails or takes too long is an answer of its own.',
    'credentials.list':
      'list names what the plugins of the app ask for, and how each stands; no other is told.',
    'credentials.status':
      'status is granted, pending or missing; a name that no plugin of the app has is not_found.',
    'credentials.request': 'request has the page ask the user by an event, unless it is granted.',
    'credentials.no_value': 'No answer and no event holds the value of a credential.',
    'credentials.port':
      'An operator may keep credentials elsewhere; what fails there is an answer of its own.',
    'apps.list': 'list tells the installed apps of the user with their views, and no grants.',
    'apps.get': 'get tells of one installed app; any other reads as none.',
    'apps.open': 'open shows a view of an installed app and tells the page; any other reads as none.',
  }),
  ...built('docs/reference/routes.md', {
    'version.routes': 'The routes of apps live under /api/v1.',
  }),
  ...built('docs/reference/methods.md', {
    'version.tool_status': 'The status of tools is listed, as since dispatcher 0.14.0.',
  }),
  ...built('0007-caps-are-bytes', {
    'version.harness.results': 'The harness has the same cap on results as production.',
    'version.harness.line': 'The harness refuses a line over 16 MiB and keeps serving.',
  }),
  ...built('docs/reference/methods.md', {
    'version.jobs': 'The job methods are offered, as since dispatcher 0.19.0.',
  }),
  ...built('docs/guides/jobs.md', {
    'version.harness.jobs': 'Jobs of the harness have the same life and are gone after its restart.',
  }),
  ...built('docs/reference/methods.md', {
    'version.sessions': 'session.list and session.refresh are offered, as since 0.8.0.',
  }),
  ...built('0090-versions-of-plugins', {
    'version.semver': 'Versions of plugins follow SemVer.',
    'version.live_record': 'The live record of a plugin stays editable.',
  }),
  ...built('0100-pins-of-releases', {
    'version.pinned': 'A released app keeps the plugin snapshots of its release.',
    'version.pinned.refused': 'A plug that cannot be pinned refuses the release, and the refusal names it.',
  }),
] as const
