// What svc uses of zod, by name: of these a build keeps 100 kB in one file, where `zod` itself has 95 files with the
// sentences of 50 languages, which a process would read before it does anything.
export type { core, input, output, RefinementCtx } from 'zod'
export {
  array,
  boolean,
  custom,
  date,
  discriminatedUnion,
  enum,
  fromJSONSchema,
  int,
  literal,
  looseObject,
  nonoptional,
  number,
  object,
  record,
  strictObject,
  string,
  toJSONSchema,
  union,
  unknown,
  ZodError,
  ZodObject,
  ZodType,
} from 'zod'
