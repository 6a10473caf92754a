import { createHash } from 'node:crypto'
import { source } from './prelude-source.ts'

/** The script, without its indentation; in a built package it is minified. */
export const prelude = source.replaceAll(/\n\s*/g, '\n')

/** Its source expression for `script-src`. */
export const preludeHash = `'sha256-${createHash('sha256').update(prelude).digest('base64')}'`
