import { openServer } from './server.ts'

const { url, close } = await openServer(Number(process.env.PORT ?? 8787))
console.log(`listens at ${url}; stop it with Ctrl-C`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
