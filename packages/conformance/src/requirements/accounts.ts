import { built } from './row.ts'

/** What an operator knows of his users, and can do with them. */
export const accounts = [
  ...built('0063-the-audit-log', {
    'audit.table':
      'Every route that writes leaves an entry of the audit log, or has its reason in the table.',
  }),
  ...built('0117-entries-of-the-audit-log', {
    'audit.entry':
      'An entry says who did what, when and how it ended, and holds no argument, result, payload or token.',
  }),
  ...built('0063-the-audit-log', {
    'audit.denied': 'What is refused with permission_denied or invalid_token is in the audit log.',
    'audit.bounds':
      'The audit logs are bounded in entries, bytes and age; calls cannot push acts out, and denials cannot push out either.',
    'audit.close': 'What was noted before a host closes in order is written.',
    'audit.operator': "The audit log is read with the operator's token alone.",
    'audit.sink':
      'What hears of the audit log cannot break the call that it hears of, and hears of it after the answer.',
  }),
  ...built('0064-users-who-are-shut-out', {
    'user.block.ends':
      'Windows, sessions, jobs, event streams, call sockets and links of a blocked user end at once.',
  }),
  ...built('0118-sign-outs-and-running-requests', {
    'user.block.meanwhile':
      'What was asked for before a block or a sign-out, and is kept or begun after it, does not stay.',
  }),
  ...built('0064-users-who-are-shut-out', {
    'user.block.refused': 'A blocked user is refused whatever he shows, and a sign-in says why.',
    'user.block.others': 'A block costs no other user anything.',
    'user.block.undo': 'A user who was blocked is let in again with all that he made.',
    'user.block.hosts': 'A block at one host holds at all of them at once.',
    'user.sign_out.here':
      'A sign-out here ends what that sign-in has open in every tab, and nothing of others.',
    'user.sign_out':
      'A sign-out everywhere voids every sign-in before it, with windows, sessions, streams and sockets.',
  }),
  ...built('0069-names-of-publishers', {
    'publisher.name':
      'The verified name of a publisher is normalised, in letters of one script, without what is not seen.',
    'publisher.unique':
      'No two publishers have names that look the same, also where they are verified at once.',
    'publisher.terms':
      'Wherever an author is shown, it is by the verified name or by the id, and it says which of the two it is.',
    'publisher.shell': 'The page says of a plugin who published it and whether that was verified.',
    'publisher.digest': 'A name that is verified, changed or taken back asks no user again.',
    'publisher.operator':
      'Names of publishers are verified with the token of the operator alone, and that is in the audit log.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'secret.rotate':
      'Several secrets verify and the first signs: what was signed before a rotation works until it runs out.',
    'secret.removed': 'What was signed with a secret that the host has no more is refused.',
    'secret.names': 'The names of secrets are unique, and each secret has 32 characters at least.',
  }),
  ...built('0120-removed-users', {
    'user.removed.shut_out': 'A user who was removed is not made anew by his next request.',
  }),
  ...built('0068-deleting-and-exporting-users', {
    'user.data.table':
      'Each collection of the store has a row that says how the records of a user are found and dropped, or why it holds none.',
    'user.erase.all':
      'After an erase no record, journal or byte names the user or a digest of his id, but the audit log and what shuts him out.',
    'user.erase.others': 'An erase leaves what others have as it was, but for apps and plugins of the user.',
    'user.erase.apps': 'The apps of an erased user go for everybody who installed them.',
  }),
  ...built('0122-an-erase-while-calls-run', {
    'user.erase.again':
      'An erase that broke off anywhere is finished by the next one, and one of a user who is gone is harmless.',
    'user.erase.hosts': 'An erase at one host leaves nothing of what another had under way.',
    'user.erase.crowd': 'An erase in the middle of calls ends with nothing left of the user.',
    'user.uninstall.crowd':
      'An uninstall in the middle of calls ends with nothing left that the user kept in the app.',
  }),
  ...built('0068-deleting-and-exporting-users', {
    'user.erase.shut_out': 'An erased user is shut out until he is unblocked; then he begins anew.',
    'user.data.operator': 'Data of a user are deleted and exported with the token of the operator alone.',
  }),
  ...built('0121-exporting-users', {
    'user.export.all':
      'An export has each record of a user and its bytes, twice the same, and no hash of a token.',
    'user.export.pace':
      'An export reads a record when the one before is taken, and stops where its reader leaves.',
  }),
] as const
