// Starts a host, and prints how long that took and how large the process is then. It names its imports as a user does.
const begin = performance.now()
const { createHost } = await import('@svc/host')
const imported = performance.now()
const host = createHost({ isolation: process.argv[2] ?? 'auto' })
await host.listen(0)
const listening = performance.now()
const { user, system } = process.cpuUsage()
const figures = {
  whole: listening - begin,
  listen: listening - imported,
  rss: process.memoryUsage.rss() / 1e6,
  cpu: (user + system) / 1_000,
}
console.log(JSON.stringify(figures))
await host.close()
process.exit()
