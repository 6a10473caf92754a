import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { BASE } from './base.ts'

/** Where the scripts are, from the base. */
const FOLDER = '@svc-inline/'
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi
const IS_MODULE = /\stype\s*=\s*["']?module\b/i
const HAS_SRC = /\ssrc\s*=/i

/**
 * Makes files of the module scripts that plugins write into a page, such as the preamble of React: the policy of a
 * bundle forbids inline scripts. Those of the app itself Vite has made files of already. Scripts that are no modules stay,
 * and are refused as they are in production.
 */
export function openInlineScripts() {
  const codes = new Map<string, string>()

  function fileOf(code: string): string {
    const name = `${FOLDER}${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`
    codes.set(name, code)
    return name
  }

  const plugin: Plugin = {
    name: 'svc:inline-scripts',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll(SCRIPT, (whole, attributes: string, code: string) =>
          IS_MODULE.test(attributes) && !HAS_SRC.test(attributes) && code.trim() !== ''
            ? `<script${attributes} src="${BASE}${fileOf(code)}"></script>`
            : whole,
        ),
    },
  }
  return {
    plugin,
    /** The code at a path from the base; `undefined`: there is none. */
    read: (path: string) => codes.get(path),
  }
}
