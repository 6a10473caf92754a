import { connectRunner, createRunner, type LocalRunner } from '@svc/runner'
import { serveFigures } from '../lib/server.ts'
import { WebSocketServer } from '../lib/ws.ts'

/** A machine in a process of its own, and beside it a WebSocket that gives back what it gets: host, token, plugin. */
const [url = '', token = '', file = ''] = process.argv.slice(2)
const inner = createRunner()
/** One object, as an install gives it: the pool knows its processes by it. */
const plugin = { id: 'bench', version: '1.0.0', command: [process.execPath, file] }
const runner: LocalRunner = {
  ...inner,
  install: async () => ({ ok: true }),
  call: (input) => inner.call({ ...input, plugin }),
}
const log = { debug() {}, info() {}, warn() {} }
const onState = ({ state }: { readonly state: string }) => void (state === 'online' && ready())
connectRunner({ url, token, runner, log, stateDir: null, onState })

const echo = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
echo.on('connection', (socket) => socket.on('message', (data: unknown) => socket.send(data)))

function ready() {
  const { port } = echo.address()
  serveFigures({ port })
}
