// Loaded into each Node process that a test starts: a host or command of ours that ends by an error nobody handled is
// noted in the file that SVC_TEST_CRASHES names, also where the test never looks at how it ended.
const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const OURS = /packages\/(?:cli\/(?:src|dist)\/main\.[jt]s|[a-z-]+\/src\/testing\/(?!.*plugin)[^ ]*\.m?[jt]s)$/
const file = process.env.SVC_TEST_CRASHES

if (isMainThread && file && OURS.test(process.argv[1] ?? ''))
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    const command = process.argv.slice(1).join(' ')
    appendFileSync(file, `${origin} in ${command}\n${error?.stack ?? error}\n`)
  })
