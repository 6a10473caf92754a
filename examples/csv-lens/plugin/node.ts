import { serve, tool } from '@svc/plugin'
import { describeCsv } from './describe.ts'
import outputSchema from './report.schema.json' with { type: 'json' }

const describe_csv = tool({
  description: 'Describes each column of a CSV table: counts, range, mean, quartiles, most frequent values.',
  parameters: [
    {
      name: 'csv',
      type: 'string',
      required: true,
      description:
        'The table as text, its columns named by a header and separated by a comma, a semicolon, a tab or |.',
    },
    {
      name: 'name',
      type: 'string',
      description: 'What to call the table in the report.',
      default: 'table.csv',
    },
  ],
  outputSchema,
  run: ({ csv, name }) => describeCsv(csv, name),
})

serve({ name: 'csv-stats', version: '1.0.0', tools: { describe_csv } })
