// The same with a server of Node alone, as CommonJS gets it: the least that a process which listens takes.
const begin = performance.now()
const { createServer } = process.getBuiltinModule('node:http')
const imported = performance.now()
await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve))
const listening = performance.now()
const { user, system } = process.cpuUsage()
const figures = {
  whole: listening - begin,
  listen: listening - imported,
  rss: process.memoryUsage.rss() / 1e6,
  cpu: (user + system) / 1_000,
}
console.log(JSON.stringify(figures))
process.exit()
