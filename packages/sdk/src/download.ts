import { ROUTE_TIMEOUT_MS } from '@svc/contract/browser'
import type { WindowDownloadResult } from '@svc/contract/client'
import type { Offered } from '@svc/contract/wire'
import { HostRpcError, ownError } from './errors.ts'
import type { OpenDocument } from './open-document.ts'

/** What `svc.window.download` offers: `data`, or the file of an upload. */
export type DownloadArgs =
  | {
      /** The name to save the file under, 1–255 characters. */
      readonly name: string
      /** What is in it: a text is saved as UTF-8. At most 256 MiB. */
      readonly data: Blob | BufferSource | string
    }
  | {
      /** The name to save the file under, 1–255 characters. */
      readonly name: string
      /** The id of a file that the app uploaded. */
      readonly file_ref: string
    }

/** Offers a file; what the document has goes to the page as it is, and never to the host. */
export async function download(
  { connection, clock }: Pick<OpenDocument, 'connection' | 'clock'>,
  args: DownloadArgs,
): Promise<WindowDownloadResult> {
  const { name, data } = args as { name: string; data?: BlobPart }
  if (data === undefined) return (await connection.call('window', 'download', args)) as WindowDownloadResult
  await connection.hello()
  const { port1, port2 } = new MessageChannel()
  const { error, name: saved } = await new Promise<Offered>((resolve, reject) => {
    const late = () => reject(ownError('timeout', 'the page did not say what came of the file'))
    const timer = clock.setTimeout(late, 2 * ROUTE_TIMEOUT_MS)
    port1.onmessage = ({ data }) => {
      clock.clearTimeout(timer)
      resolve(data)
    }
    connection.post({ svc: 'download', name, data: new Blob([data]) }, [port2])
  }).finally(() => port1.close())
  if (error) throw new HostRpcError(error)
  return { name: saved as string, url: null }
}
