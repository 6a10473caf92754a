import { existsSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * Says what is wrong with the words of `npm start` that need not wait for an install; `null`: nothing that is known yet.
 * What svc itself says of them later is the whole truth.
 *
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>}
 */
export async function startProblem(words, env) {
  const kept = env.npm_config_port
  if (kept !== undefined && !words.some((word) => word.startsWith('--port')))
    return `npm kept --port for itself; type: npm start -- --port ${kept === 'true' ? (words.at(-1) ?? 0) : kept}`
  const [first = ''] = words
  if (first && !first.startsWith('-') && !existsSync(first))
    return `there is no folder ${first}; name that of an app: npm start -- examples/notes`
  const port = portOf(words)
  if (port === null || (await isFree(port))) return null
  return `port ${port} is in use; type: npm start -- --port ${port + 1}, or no port for the next free one`
}

/** @param {string[]} words */
function portOf(words) {
  const at = words.findIndex((word) => /^--port(=|$)/.test(word))
  const text = words[at]?.split('=')[1] ?? words[at + 1] ?? ''
  return at !== -1 && /^\d{1,5}$/.test(text) && Number(text) < 65_535 ? Number(text) : null
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1')
    server.on('error', () => resolve(false))
    server.on('listening', () => server.close(() => resolve(true)))
  })
}
