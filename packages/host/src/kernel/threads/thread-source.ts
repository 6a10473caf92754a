import { createRequire } from 'node:module'

const path = createRequire(import.meta.url).resolve('./thread-work.ts')

/** An expression whose value is the module `thread-work`. In a built package it is the text of the module: no tool sees a path. */
export const source = `require(${JSON.stringify(path)})`
