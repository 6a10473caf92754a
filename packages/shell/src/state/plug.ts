import type { RouteAnswer } from '@svc/contract/route-client'

/** A plugin in a list. */
export type ListedPlug = RouteAnswer<'GET /plugs'>['plugs'][number]

/** A page of a list of plugins. */
export type PlugPage = RouteAnswer<'GET /plugs'>

/** A plugin as its owner sees it. */
export type OwnPlug = RouteAnswer<'GET /plugs/my/tools/{tool_id}'>

/** Whether a plugin is a process with tools, or a manifest and a README. */
export type PlugType = OwnPlug['type']

/** The status of a plugin on the user's runners, why it is not available, and whether it is the operator's. */
export type PlugStatus = Partial<Pick<ListedPlug, 'status' | 'problem' | 'configured'>>

/** A frozen version. */
export type PlugVersion = RouteAnswer<'GET /plugs/my/tools/{tool_id}/versions'>['versions'][number]

/** What publishing would do. */
export type VersionPreview = Extract<
  RouteAnswer<'POST /plugs/my/tools/{tool_id}/versions'>,
  { readonly dry_run: true }
>

/** Where two versions differ, as readable paths. */
export type Changes = VersionPreview['changes']

/** A reserved id. */
export type MintedDraft = RouteAnswer<'POST /plugs/my/drafts'>

/** A variable of a plugin, and what its user gave it. */
export type PlugVariable = RouteAnswer<'GET /plugs/{tool_id}/variables'>['variables'][number]
