import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { blocksOf, pageFiles } from '../page-commands.ts'

/** The options of a host as a page shows them: those of `createHost`, or of a config file of `svc serve`. */
export interface ConfigSnippet {
  readonly page: string
  readonly of: 'createHost' | 'svc serve'
  /** The object, as JavaScript. */
  readonly text: string
}

/** What pages take for granted in their configs. */
export const given = `
const SECRET = 'a-secret-of-a-page-with-enough-characters'
const urls = { SVC_POSTGRES: 'postgres://svc@127.0.0.1/svc', SVC_REDIS: 'redis://127.0.0.1' }
const process = { env: new Proxy(urls, { get: (all, name) => all[name] ?? SECRET + String(name) }) }
const userOf = async () => ({ id: 'ada', at: 0 })
const authenticate = userOf
const auditLog = { info() {} }
const apps = []
const limits = {}
const status = async () => 'missing'
const request = status
const model = () => ({ specificationVersion: 'v4', provider: 'ours', modelId: 'a' })
const server = { chatModel: model, embeddingModel: model }
const serverModel = model
`

/** All of them: in blocks, in lines of text, and in files that a command writes. */
export const configSnippets: readonly ConfigSnippet[] = pageFiles.flatMap((page) => {
  const text = readFileSync(page, 'utf8')
  const codes = blocksOf(text).flatMap(({ language, text }) => (/^(ts|tsx|js)$/.test(language) ? [text] : []))
  const inText = [...text.matchAll(/`(createHost\([^`]*\))`/g)].map(([, code = '']) => code)
  const json = [
    ...blocksOf(text).flatMap(({ language, text }) => (language === 'json' ? [text] : [])),
    ...[...text.matchAll(/echo '(\{.*\})' > svc\.config\.json/g)].map(([, config = '']) => config),
  ].filter((one) => one.includes('"signIn"'))
  return [
    ...[...codes, ...inText].flatMap(objectsOf).map((one) => ({ page, ...one })),
    ...json.map((text) => ({ page, of: 'svc serve' as const, text })),
  ]
})

function objectsOf(code: string): Omit<ConfigSnippet, 'page'>[] {
  const js = ts.transpile(code, { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext })
  const source = ts.createSourceFile('a.js', js, ts.ScriptTarget.Latest, true)
  // A type behind it, or the name of its file, says that it is an object of something else.
  const isOther = code.includes('satisfies') || /^\/\/ (?!svc\.)\w+\.config\.m?[jt]s$/m.test(code)
  const found: Omit<ConfigSnippet, 'page'>[] = []
  const add = (of: ConfigSnippet['of'], node: ts.Node | undefined) => {
    // Names alone say nothing of values.
    if (
      node &&
      ts.isObjectLiteralExpression(node) &&
      !node.properties.every(ts.isShorthandPropertyAssignment)
    )
      found.push({ of, text: node.getText(source) })
  }
  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'createHost')
      add('createHost', node.arguments[0])
    if (ts.isExportAssignment(node) && !isOther) add('svc serve', node.expression)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
