import { createRequire } from 'node:module'

const path = createRequire(import.meta.url).resolve('./thread-work.ts')

/** What a thread of a folder runs. In a built package it is the text of the module: no tool sees a path in it. */
export const source = `require(${JSON.stringify(path)})`
