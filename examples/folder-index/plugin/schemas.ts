const text = { type: 'string' } as const
const count = { type: 'integer' } as const
const share = { type: 'number', description: '0 to 1.' } as const

/** An object that has all of these members. */
const object = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const list = (items: object, description: string) => ({ type: 'array', items, description })

/** What `list_folders` returns. */
export const foldersSchema = object({
  folders: list(object({ folder: text, files: count, bytes: count }), 'Every folder that can be indexed.'),
})

const side = object({ file: count, text })

/** What `index_folder` returns: `report.ts` has every rule. */
export const reportSchema = object({
  folder: text,
  facts: object({
    files: count,
    entries: count,
    words: count,
    distinct: count,
    compared: count,
    comparisons: count,
  }),
  files: list(
    object({
      path: text,
      title: text,
      words: count,
      marks: list(text, 'The words that mark it.'),
      like: {
        anyOf: [object({ file: count, share }), { type: 'null' }],
        description: 'The text most like it.',
      },
    }),
    'In the order of the texts.',
  ),
  words: list(
    object({
      word: text,
      count,
      files: count,
      places: list(
        { type: 'array', items: count, minItems: 2, maxItems: 2 },
        'Where it is most: [file, count].',
      ),
    }),
    'The words that occur most often.',
  ),
  twins: list(object({ share, a: side, b: side }), 'The pairs of entries that say nearly the same.'),
})
