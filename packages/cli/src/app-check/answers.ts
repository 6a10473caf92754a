import { isCall, type RpcRequest, type RpcResponse, readEnvelope } from '@svc/contract'

/** Counts the calls that succeeded, in the text of their answers: one in each line. A batch is 200 also where all failed. */
export function countSucceeded(calls: readonly RpcRequest[], text: string): number {
  const ids = new Set(calls.map(({ id }) => id))
  const answers = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RpcResponse)
  return answers.filter(({ id, ok }) => ok && ids.has(id)).length
}

/** Reads the calls in the body of a request; what is not a call is left out, as the host says so to the app. */
export function readCalls(body: string): readonly RpcRequest[] {
  try {
    return [JSON.parse(body) as unknown].flat().map(readEnvelope).filter(isCall)
  } catch {
    return []
  }
}
