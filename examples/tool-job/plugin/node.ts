import { serve, tool } from '@svc/plugin'
import { listFolders } from './folders.ts'
import { indexFolder } from './index-folder.ts'

const list_folders = tool({
  description: 'Lists the folders of texts that can be indexed, with how much is in each.',
  run: () => ({ folders: listFolders() }),
})

const index_folder = tool({
  description:
    'Indexes a folder of texts: its words and where they stand, the entries that say nearly the same, the texts that are most alike. Takes half a minute for the world: call it as a job.',
  parameters: [
    {
      name: 'folder',
      type: 'string',
      required: true,
      description: 'A path below the data of the plugin, such as "world" or "world/europe".',
    },
  ],
  run: ({ folder }, ctx) => indexFolder(folder, ctx),
})

serve({ name: 'folder-index', version: '1.0.0', tools: { list_folders, index_folder } })
