import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Client } from '../client.ts'
import type { MethodRow } from './define.ts'
import { type Methods, methods, namespaces } from './index.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The method of the client that a name of the table means: `session.create` is `create` in `session`. */
type MethodOf<Space, Name> = Name extends keyof Space
  ? Space[Name]
  : Name extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Space
      ? MethodOf<Space[Head], Rest>
      : never
    : never

type Wrong<Row, Method> = Row extends MethodRow ? WrongTypes<Row, Method> : never

/** A call of a tool takes what its app declared, here nothing: then what every call of a tool takes. */
type IsTaken<Row extends MethodRow, Args> = Row extends { readonly namesTool: true }
  ? [Args, z.input<Row['args']>] extends [z.input<Row['args']>, Args]
    ? true
    : false
  : Same<z.input<Row['args']>, Exclude<Args, undefined>>

type WrongTypes<Row extends MethodRow, Method> = Method extends (
  args: infer Args,
  ...rest: never[]
) => Promise<infer Result>
  ? [
      IsTaken<Row, Args>,
      Row extends { readonly typed: true } ? true : Same<z.output<Row['result']>, Result>,
    ] extends [true, true]
    ? never
    : 'differs'
  : 'is no method'

/** The names of methods whose interface differs from their row. */
type Differing = {
  [N in keyof Methods]: {
    [M in keyof Methods[N] & string]: Methods[N][M] extends { readonly stub: true }
      ? never
      : Wrong<Methods[N][M], MethodOf<Client[N], M>> extends never
        ? never
        : `${N}.${M}`
  }[keyof Methods[N] & string]
}[keyof Methods]

verifies(
  'docs.client.types',
  'the interfaces of the client have the arguments and results of the table',
  () => {
    const isSame: Same<Differing, never> = true
    expect([isSame, Object.keys(methods)]).toEqual([true, Object.keys(namespaces)])
  },
)
