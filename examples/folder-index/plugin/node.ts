import { serve, tool } from '@svc/plugin'
import { listFolders } from './folders.ts'
import { indexFolder, readSeconds } from './index-folder.ts'
import { foldersSchema, reportSchema } from './schemas.ts'

const list_folders = tool({
  description: 'Lists the folders of texts that can be indexed, with how much is in each.',
  outputSchema: foldersSchema,
  run: () => ({ folders: listFolders() }),
})

const index_folder = tool({
  description:
    'Indexes a folder of texts: its words and where they are, the entries that say nearly the same, the texts that are most alike. It compares for as long as you say, and as many texts as fit into that: call it as a job.',
  parameters: [
    {
      name: 'folder',
      type: 'string',
      required: true,
      description: 'A path below the data of the plugin, such as "world" or "world/europe".',
    },
    {
      name: 'seconds',
      type: 'number',
      description: 'How long to compare, 1 to 3600 seconds. Texts that do not fit are counted, not compared.',
    },
  ],
  outputSchema: reportSchema,
  run: ({ folder, seconds }, ctx) => indexFolder(folder, readSeconds(seconds), ctx),
})

serve({ name: 'folder-index', version: '1.0.0', tools: { list_folders, index_folder } })
