import { serve, tool } from '@svc/plugin'
import { compareTexts } from './compare-texts.ts'
import { findDuplicates } from './find-duplicates.ts'

const compare_texts = tool({
  description: 'Compares two texts line by line and answers the lines that were removed and added.',
  parameters: [
    { name: 'before', type: 'string', required: true, description: 'The first text.' },
    { name: 'after', type: 'string', required: true, description: 'The second text.' },
  ],
  run: ({ before, after }) => compareTexts(before, after),
})

const find_duplicates = tool({
  description:
    'Finds files with the same content in a folder and all folders in it. May take minutes: call it as a job.',
  parameters: [
    {
      name: 'folder',
      type: 'string',
      required: true,
      description: 'An absolute path on the machine of the runner.',
    },
    { name: 'min_bytes', type: 'integer', default: 1, description: 'Smaller files are left out.' },
  ],
  run: ({ folder, min_bytes }, ctx) => findDuplicates(folder, min_bytes, ctx),
})

serve({ name: 'plugin-node', version: '1.0.0', tools: { compare_texts, find_duplicates } })
