import { createChannel } from '@svc/bridge'
import { expose } from 'comlink'
import { connect, PortMessenger } from 'penpal'

/** The page's end of each way: whatever comes in goes back. */
const ends: Readonly<Record<string, (port: MessagePort) => void>> = {
  raw,
  'raw twin': raw,
  svc(port) {
    const channel = createChannel(port, {
      calls: (calls) => {
        for (const { id, args } of calls) channel.answer(id, `{"id":"${id}","ok":true,"result":${args}}`)
      },
      drop: () => {},
      gone: () => {},
    })
    channel.welcome(1)
  },
  comlink: (port) => expose({ call: (_ns: string, _method: string, args: unknown) => args }, port),
  penpal: (port) => {
    connect({
      messenger: new PortMessenger({ port }),
      methods: { call: (_ns: string, _method: string, args: unknown) => args },
    })
  },
}

function raw(port: MessagePort) {
  port.onmessage = ({ data: { id, args } }) => port.postMessage({ id, ok: true, result: args })
}

window.addEventListener('message', ({ data, ports }) => {
  if (data?.svc === 'hello' && ports[0]) ends.svc?.(ports[0])
  else if (typeof data?.way === 'string' && ports[0]) ends[data.way]?.(ports[0])
})
