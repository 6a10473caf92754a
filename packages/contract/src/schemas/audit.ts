/**
 * The logs of the audit: `acts`, what users and operators changed; `calls`, what users do often; `denials`, which
 * strangers can cause. So none can push out what is worth more.
 */
export const auditLogs = ['acts', 'calls', 'denials'] as const

/** One kind of entry of the audit log. */
export interface AuditRow {
  /** Which log keeps it. */
  readonly log: (typeof auditLogs)[number]
  /** What happened. */
  readonly sentence: string
  /** The routes, by name, that leave it behind. */
  readonly routes: readonly string[]
}

/** What the audit log keeps; an entry has the name of its row under `what`. Programmatic twins of a route leave the same. */
export const audit = {
  'user.sign_in': {
    log: 'acts',
    sentence: 'A user signed in; with `authenticate`, one was seen for the first time.',
    routes: ['signIn.dev'],
  },
  'user.sign_out': {
    log: 'acts',
    sentence: 'A user signed out, here or everywhere, or was signed out by the operator.',
    routes: ['signIn.out', 'admin.sign_out'],
  },
  'user.block': { log: 'acts', sentence: 'The operator blocked a user.', routes: ['admin.block'] },
  'user.unblock': { log: 'acts', sentence: 'The operator let a user in again.', routes: ['admin.unblock'] },
  'user.erase': {
    log: 'acts',
    sentence: 'The operator deleted a user with all that was his.',
    routes: ['admin.erase'],
  },
  'user.export': {
    log: 'acts',
    sentence: 'The data of a user began to be read, by the operator or by himself.',
    routes: ['admin.data'],
  },
  'user.remove': { log: 'acts', sentence: 'A user was removed.', routes: [] },
  'publisher.verify': {
    log: 'acts',
    sentence: 'The operator verified the name of a publisher.',
    routes: ['admin.verify_publisher'],
  },
  'publisher.withdraw': {
    log: 'acts',
    sentence: 'The operator took the verified name of a publisher back.',
    routes: ['admin.withdraw_publisher'],
  },
  'app.register': { log: 'acts', sentence: 'An app was registered.', routes: ['apps.register'] },
  'app.push': { log: 'acts', sentence: 'A working draft was pushed.', routes: ['apps.push'] },
  'app.release': { log: 'acts', sentence: 'A draft was frozen as a release.', routes: ['apps.release'] },
  'app.remove': {
    log: 'acts',
    sentence: 'An app was removed for everybody, or one release of it.',
    routes: ['apps.remove', 'apps.remove_release'],
  },
  'app.install': {
    log: 'acts',
    sentence: 'An app was installed, or its version or grants changed.',
    routes: ['installs.install'],
  },
  'app.uninstall': { log: 'acts', sentence: 'An app was uninstalled.', routes: ['installs.remove'] },
  'plugin.agree': {
    log: 'acts',
    sentence: 'A user said whether a plugin of another may run for an app.',
    routes: ['windows.agree'],
  },
  'tool.approve': {
    log: 'acts',
    sentence: 'A user answered whether a destructive tool may be called, or took such answers back.',
    routes: ['approvals.answer', 'approvals.forget'],
  },
  'plugin.publish': {
    log: 'acts',
    sentence: 'A plugin was made, edited, or a version of it published or marked.',
    routes: ['plugs.commit', 'plugs.create', 'plugs.edit', 'plugs.publish', 'plugs.mark'],
  },
  'plugin.variables': {
    log: 'acts',
    sentence: 'A user gave variables of a plugin values, or took them back.',
    routes: ['plugs.set_variables'],
  },
  'plugin.remove': { log: 'acts', sentence: 'A plugin was removed.', routes: ['plugs.remove'] },
  'machine.enrol': { log: 'acts', sentence: 'A machine was enrolled.', routes: ['runners.enrol'] },
  'machine.revoke': { log: 'acts', sentence: 'A machine was revoked.', routes: ['runners.revoke'] },
  'machine.connect': {
    log: 'calls',
    sentence: 'A machine connected with its token.',
    routes: ['runners.connect'],
  },
  'window.token': {
    log: 'calls',
    sentence: 'A window token was minted or renewed.',
    routes: ['windows.open', 'windows.renew'],
  },
  'session.token': {
    log: 'calls',
    sentence: 'A session token was minted or renewed.',
    routes: ['sessions.create', 'sessions.refresh'],
  },
  'tool.call': {
    log: 'calls',
    sentence: 'A window or an agent called a tool, or asked for a job.',
    routes: ['calls.rpc', 'sessions.run'],
  },
  'job.end': { log: 'calls', sentence: 'A job ended, in the state that `outcome` names.', routes: [] },
  denied: {
    log: 'denials',
    sentence: 'A request or a call was refused with `permission_denied` or `invalid_token`.',
    routes: [],
  },
} as const satisfies Record<string, AuditRow>

/** The name of a kind of entry. */
export type AuditName = keyof typeof audit

/** One entry of the audit log: never arguments, results, payloads or tokens. */
export interface AuditEntry {
  /** RFC 3339 in UTC. */
  readonly at: string
  /** The name of its row. */
  readonly what: AuditName
  /** Who did it; `operator`: the operator; `null`: nobody was signed in. */
  readonly user_id: string | null
  /** `ok`, the code of the refusal, or the state that a job ended in. */
  readonly outcome: string
  /** The app that it was done with, or to. */
  readonly app_id?: string
  /** The window that it was done in. */
  readonly window_uuid?: string
  /** The agent session that called a tool. */
  readonly app_session_uuid?: string
  /** The id of what it was done to: a tool, an install, a machine, a version, a user. */
  readonly target?: string
  /** The tool of the plugin that was called, or the method or the route that was refused. */
  readonly method?: string
  /** How long a call took. */
  readonly ms?: number
  /** Where a refused request came from, where the host knows. */
  readonly address?: string
}

/** Routes that write and leave no entry, each with the reason. */
export const notAudited: Readonly<Record<string, string>> = {
  'signIn.prove': 'It proves something to the client and signs nobody in.',
  'apps.lint': 'It judges a manifest and keeps nothing.',
  'plugs.mint': 'It reserves a name and shows nothing to anybody; the commit is the act.',
  'plugs.describe': 'It runs a plugin of the user and keeps nothing.',
  'windows.close': 'It ends what the user opened, and changes no right.',
  'uploads.put': 'It fills in a file that a call negotiated; who has the URL may.',
  'uploads.preflight': 'It changes nothing.',
  'bundles.preflight': 'It changes nothing.',
  'health.reports': 'It changes nothing, and anybody may send it; it is logged and counted.',
  'sessions.fromSampling': 'The token of such a session stays in the host; a tool call is its authority.',
  'sessions.complete': 'It asks a model and keeps nothing.',
  'sessions.delete': 'It ends what the user began, and changes no right.',
  'sessions.cancel': 'It ends what the user began, and changes no right.',
  'page.endSession': 'It ends what the user began, and changes no right.',
  'page.cancelJob': 'It ends what the user began; the end of the job is an entry.',
}
