import { expose, svc } from '@svc/sdk/worker'

export const api = {
  add: (a: number, b: number) => a + b,
  beat: () => svc.window.heartbeat(),
}
expose(api)
