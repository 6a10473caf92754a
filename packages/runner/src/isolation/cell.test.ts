import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { openFolders } from '../folders.ts'
import { cellOf } from './cell.ts'

it.each(['C:\\data', 'C:/data', '/no/such/folder'])('says that %s is not on this machine', async (path) => {
  const folders = openFolders(undefined, limits)
  const reach = { folders: [{ path, access: 'read' as const }] }
  const started = { program: '/bin/sh', args: [], cwd: '/', reach }
  const room = { folder: '/', cache: undefined }
  expect(cellOf(started, room, { folders, hidden: () => [] }, undefined)).toEqual({
    problem: `it reaches ${path}, which is not on this machine`,
  })
  await folders.close()
})
