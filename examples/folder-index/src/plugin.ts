import { svc } from '@svc/sdk'
import type { Folder } from '../plugin/folders.ts'

/** The plugin, by the handle under which the manifest declares it. */
const tool_id = 'folder-index'

/** How long a job may take beside comparing: reading, counting, and the queue. */
const MARGIN_MS = 1_800_000

/** Which folders there are: a quick call. */
export async function listFolders(): Promise<readonly Folder[]> {
  const { folders } = await svc.tools.invoke({ tool_id, method: 'list_folders' })
  return folders
}

/**
 * Starts a job that compares for so many seconds, and returns its id. The folder is its tag as well: a job's snapshot has no arguments, and a later
 * document wants to know what the job is about.
 */
export async function startIndex(folder: string, seconds: number): Promise<string> {
  const { jobId } = await svc.tools.invokeAsync({
    tool_id,
    method: 'index_folder',
    args: { folder, seconds },
    clientTag: folder,
    timeoutMs: seconds * 1_000 + MARGIN_MS,
  })
  return jobId
}
