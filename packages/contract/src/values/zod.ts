// What svc uses of zod, by name: of these a build keeps 100 kB in one file, where `zod` itself has 95 files with the
// sentences of 50 languages, which a process would read before it does anything.
import type * as zod from 'zod'

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

// A build drops 'type' from types that are passed on, as if they were values; its own ones it leaves.
export type input<Type> = zod.input<Type>
export type output<Type> = zod.output<Type>
export type RefinementCtx<Value = unknown> = zod.RefinementCtx<Value>
