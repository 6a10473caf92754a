export { expose, proxy, type Remote, releaseProxy, transfer } from 'comlink'
export { HostRpcError, isHostRpcError } from './carry-errors.ts'
export { svc } from './worker-svc.ts'
export { wrapWorker } from './wrap-worker.ts'
