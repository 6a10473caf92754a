import { serve, tool } from '@svc/plugin'
import { compareTexts } from './compare-texts.ts'
import { findDuplicates } from './find-duplicates.ts'

/** Lines of one of the texts. */
const lines = {
  type: 'array',
  items: {
    type: 'object',
    properties: { line: { type: 'integer', description: 'Its number, from 1.' }, text: { type: 'string' } },
    required: ['line', 'text'],
  },
}

const compare_texts = tool({
  description: 'Compares two texts line by line and answers the lines that were removed and added.',
  parameters: [
    { name: 'before', type: 'string', required: true, description: 'The first text.' },
    { name: 'after', type: 'string', required: true, description: 'The second text.' },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      same: { type: 'integer', description: 'How many lines are in both.' },
      removed: lines,
      added: lines,
    },
    required: ['same', 'removed', 'added'],
  },
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
  outputSchema: {
    type: 'object',
    properties: {
      files: { type: 'integer', description: 'How many files were looked at.' },
      wasted_bytes: { type: 'integer', description: 'What would be free if of each group one file stayed.' },
      groups: {
        type: 'array',
        items: {
          type: 'object',
          properties: { bytes: { type: 'integer' }, files: { type: 'array', items: { type: 'string' } } },
          required: ['bytes', 'files'],
        },
      },
    },
    required: ['files', 'wasted_bytes', 'groups'],
  },
  run: ({ folder, min_bytes }, ctx) => findDuplicates(folder, min_bytes, ctx),
})

serve({ name: '{{name}}', version: '1.0.0', tools: { compare_texts, find_duplicates } })
