import { type AuditName, Refusal } from '@svc/contract'
import type { Audit, AuditNote } from './access/audit/audit.ts'
import type { OpenUsers } from './access/users/users.ts'
import type { OpenApps } from './apps/open-apps.ts'
import { OPERATOR } from './catalog/records.ts'
import { refusalOf } from './kernel/refusal-of.ts'
import type { OpenRunners } from './machines/runners.ts'
import type { Approvals } from './plugins/approvals/approvals.ts'
import type { OpenPublishing } from './plugins/publishing/publishing.ts'
import type { Variables } from './plugins/variables/variables.ts'
import type { OpenWindows } from './windows/open-windows.ts'
import type { Sessions } from './work/sessions/sessions.ts'

/**
 * Notes an act once it is done, by whichever route or method it came. A refusal changed nothing, and a denial is
 * recorded where it is sent; what was interrupted may have changed something.
 */
async function noting<T>(
  audit: Audit,
  [what, userId, act]: readonly [what: AuditName, userId: string, act: AuditNote],
  work: Promise<T>,
  made: (result: T) => AuditNote = () => ({}),
): Promise<T> {
  try {
    const result = await work
    audit.note(what, userId, 'ok', { ...act, ...made(result) })
    return result
  } catch (error) {
    if (!(error instanceof Refusal)) audit.note(what, userId, refusalOf(error).code, act)
    throw error
  }
}

/** Apps whose acts are noted. */
export const notedApps = (apps: OpenApps, audit: Audit): OpenApps => ({
  ...apps,
  register: (user, app) =>
    noting(audit, ['app.register', user, {}], apps.register(user, app), ({ app_id }) => ({ app_id })),
  pushDraft: (user, app_id, push) =>
    noting(audit, ['app.push', user, { app_id }], apps.pushDraft(user, app_id, push), (pushed) => ({
      target: pushed.digest,
    })),
  release: (user, app_id, version, force) =>
    noting(
      audit,
      ['app.release', user, { app_id, target: version }],
      apps.release(user, app_id, version, force),
    ),
  remove: (user, app_id) => noting(audit, ['app.remove', user, { app_id }], apps.remove(user, app_id)),
  removeRelease: (user, app_id, version) =>
    noting(
      audit,
      ['app.remove', user, { app_id, target: version }],
      apps.removeRelease(user, app_id, version),
    ),
  install: (user, install) =>
    noting(audit, ['app.install', user, { app_id: install.app_id }], apps.install(user, install), (made) => ({
      target: made.install_id,
    })),
  uninstall: (user, target) =>
    noting(audit, ['app.uninstall', user, { target }], apps.uninstall(user, target)),
  agree: (user, window_uuid, answer) =>
    noting(
      audit,
      ['plugin.agree', user, { window_uuid, target: answer.tool_id, method: answer.answer }],
      apps.agree(user, window_uuid, answer),
    ),
})

/** Windows whose tokens are noted. */
export const notedWindows = (windows: OpenWindows, audit: Audit): OpenWindows => ({
  ...windows,
  open: (user, request) =>
    noting(
      audit,
      ['window.token', user, { app_id: request.app_id }],
      windows.open(user, request),
      (opened) => ({
        window_uuid: opened.window_uuid,
      }),
    ),
  token: (user, window_uuid, attach) =>
    noting(audit, ['window.token', user, { window_uuid }], windows.token(user, window_uuid, attach)),
})

/** Sessions whose tokens are noted. */
export const notedSessions = (sessions: Sessions, audit: Audit): Sessions => ({
  ...sessions,
  token(record) {
    const { user_id, app_id } = record.row
    return noting(audit, ['session.token', user_id, { app_id, target: record.id }], sessions.token(record))
  },
})

/** Publishing whose acts are noted. */
export const notedPublishing = (publishing: OpenPublishing, audit: Audit): OpenPublishing => {
  const change = <T>(user: string, target: string, method: string, work: Promise<T>) =>
    noting(audit, ['plugin.publish', user, { target, method }], work)
  const made = ({ tool_id }: { readonly tool_id: string }) => ({ target: tool_id })
  return {
    ...publishing,
    commit: (user, draft, input, options) =>
      noting(
        audit,
        ['plugin.publish', user, { method: 'commit' }],
        publishing.commit(user, draft, input, options),
        made,
      ),
    create: (user, input, options) =>
      noting(
        audit,
        ['plugin.publish', user, { method: 'create' }],
        publishing.create(user, input, options),
        made,
      ),
    edit: (user, tool, input) => change(user, tool, 'edit', publishing.edit(user, tool, input)),
    publish: (user, tool, input) => change(user, tool, 'publish', publishing.publish(user, tool, input)),
    mark: (user, tool, version, input) =>
      change(user, `${tool}@${version}`, 'mark', publishing.mark(user, tool, version, input)),
    remove: (user, target) =>
      noting(audit, ['plugin.remove', user, { target }], publishing.remove(user, target)),
  }
}

/** Variables of plugins: that some were given is noted, never which value. */
export const notedVariables = (variables: Variables, audit: Audit): Variables => ({
  ...variables,
  set: (user, target, values) =>
    noting(audit, ['plugin.variables', user, { target }], variables.set(user, target, values)),
})

/** Machines whose coming and going is noted. */
export const notedRunners = (runners: OpenRunners, audit: Audit): OpenRunners => ({
  ...runners,
  enrol: (user, input) =>
    noting(audit, ['machine.enrol', user, {}], runners.enrol(user, input), ({ runner_id }) => ({
      target: runner_id,
    })),
  revoke: (user, target) => noting(audit, ['machine.revoke', user, { target }], runners.revoke(user, target)),
  front: {
    ...runners.front,
    take(socket, connection, arriving) {
      const { runnerId: target, userId } = arriving.bearer
      const onJudged = (isIn: boolean) =>
        audit.note('machine.connect', userId, isIn ? 'ok' : 'invalid_token', { target })
      runners.front.take(socket, connection, { ...arriving, onJudged })
    },
  },
})

/** Approvals whose answers are noted. */
export const notedApprovals = (approvals: Approvals, audit: Audit): Approvals => ({
  ...approvals,
  answer: (user, target, answer) =>
    noting(audit, ['tool.approve', user, { target, method: answer }], approvals.answer(user, target, answer)),
  takeBack: (user, app_id) =>
    noting(audit, ['tool.approve', user, { app_id, method: 'forget' }], approvals.takeBack(user, app_id)),
})

/** Users with what the operator does to them, and the sign-out everywhere that a user asks for himself. */
export const notedUsers = (users: OpenUsers, audit: Audit): OpenUsers => {
  const act = <T>(what: AuditName, target: string, work: Promise<T>) =>
    noting(audit, [what, OPERATOR, { target }], work)
  return {
    ...users,
    block: (id) => act('user.block', id, users.block(id)),
    unblock: (id) => act('user.unblock', id, users.unblock(id)),
    signOut: (id, isOwn) =>
      isOwn
        ? noting(audit, ['user.sign_out', id, { method: 'everywhere' }], users.signOut(id))
        : act('user.sign_out', id, users.signOut(id)),
    verifyPublisher: (id, name) => act('publisher.verify', id, users.verifyPublisher(id, name)),
    withdrawPublisher: (id) => act('publisher.withdraw', id, users.withdrawPublisher(id)),
    remove: (id) => act('user.remove', id, users.remove(id)),
    erase: (id) => act('user.erase', id, users.erase(id)),
    export(id) {
      audit.note('user.export', OPERATOR, 'ok', { target: id })
      return users.export(id)
    },
  }
}
