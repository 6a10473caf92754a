/** How much is installed: what `npm start` needs, or everything. @typedef {'start' | 'all'} Level */

/**
 * What has to be installed for a task, or null where nothing is missing. What is installed in full stays in full:
 * a newer lockfile does not take the tools of the tests away.
 *
 * @param {string} stamp what the last installation left: its level and the hash of its lockfile
 * @param {string} lock the hash of the lockfile now
 * @param {Level} wanted
 * @returns {Level | null}
 */
export function levelToInstall(stamp, lock, wanted) {
  const [had, hash] = stamp.split(' ')
  const level = had === 'all' ? 'all' : wanted
  return hash === lock && (had === 'all' || had === wanted) ? null : level
}
