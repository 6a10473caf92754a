import { svc } from '@svc/sdk'
import type { Folder } from '../plugin/folders.ts'

/** The plugin, by the handle under which the manifest declares it. */
const tool_id = 'folder-index'

/** How long the largest folder may take: an hour, time in the queue included. */
const DEADLINE_MS = 3_600_000

/** Which folders there are: a quick call. */
export async function listFolders(): Promise<readonly Folder[]> {
  const { folders } = await svc.tools.invoke({ tool_id, method: 'list_folders' })
  return folders as Folder[]
}

/**
 * Starts a job and answers its id. The folder is its tag as well: a job's snapshot has no arguments, and a later
 * document wants to know what the job is about.
 */
export async function startIndex(folder: string): Promise<string> {
  const { jobId } = await svc.tools.invokeAsync({
    tool_id,
    method: 'index_folder',
    args: { folder },
    clientTag: folder,
    timeoutMs: DEADLINE_MS,
  })
  return jobId
}
