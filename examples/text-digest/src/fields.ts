/** One named thing of a digest: what the model is asked for, and how the page calls it. */
export interface Field {
  readonly key: string
  readonly name: string
  /** What the model is told about it. */
  readonly wanted: string
  readonly isList: boolean
}

/** What a digest has. A field more is a row more. */
export const fields = [
  { key: 'title', name: 'Title', wanted: 'a title of at most ten words', isList: false },
  { key: 'summary', name: 'Summary', wanted: 'two or three sentences', isList: false },
  { key: 'key_points', name: 'Key points', wanted: 'up to six short sentences', isList: true },
  { key: 'people', name: 'People', wanted: 'each person, with what they did', isList: true },
  { key: 'places', name: 'Places', wanted: 'each place that matters', isList: true },
  { key: 'dates', name: 'Dates', wanted: 'each date, with what happened', isList: true },
] as const satisfies readonly Field[]

/** Texts by the keys of the fields; a field of which the text says nothing is left out. */
export type Digest = Readonly<Partial<Record<(typeof fields)[number]['key'], readonly string[]>>>
