import type { Body } from './body.ts'
import type { Quirk } from './quirk.ts'
import { simpleSchemas } from './simple-schema.ts'
import { toolsAsText } from './told-as-text.ts'

const toolsOf = ({ tools = [] }: Body) => tools
/** The fields in which servers take the most tokens of an answer; a server wants one of them, or none. */
export const tokenFields = ['max_tokens', 'max_completion_tokens'] as const
const maxOf = (body: Body): number =>
  Number(tokenFields.map((name) => body[name]).find((max) => max !== undefined) ?? 0)

const TOOLS = /(?:tools?|functions?)(?:[ _-]?(?:use|usage|call|calls|calling))?/.source
const NO_TOOLS = new RegExp(
  [
    `(?:not|n't|that) (?:currently )?supports? [^.]{0,30}\\b${TOOLS}\\b`,
    `\\b${TOOLS}\\b['"\`]? (?:is |are )?(?:not|un|dis)(?:[ ]|supported|abled)`,
    `(?:unsupported|unrecognized|unknown|extra)[^.]{0,40}['"\`]${TOOLS}['"\`]`,
    'enable-auto-tool-choice',
    '--jinja',
    'prompt with jinja template',
    'parser for this template',
  ].join('|'),
)

/** A field that is refused, and not its number. */
const REFUSED = /unsupported[ _]param|not supported|unrecogni[sz]ed|unknown|extra_forbidden|extra inputs/

/** What servers do not take of the fields of a request; they are told and adapted in this order. */
export const requestQuirks = {
  tools: {
    means: 'sends so many tools, the first ones',
    isTold({ text }, body) {
      const count = toolsOf(body).length
      const isMany =
        /too many (?:tools|functions)|\b(?:tools|functions)\b.{0,80}(?:too long|too many|at most|maximum|exceed|limit|up to)|(?:maximum|at most|limit|up to).{0,40}\b(?:tools|functions?)\b|\btools\b.{0,40}more than/
      return count > 1 && isMany.test(text) && (below(text, count) ?? Math.ceil(count / 2))
    },
    adapt: (body, count) =>
      toolsOf(body).length > count ? { ...body, tools: toolsOf(body).slice(0, count) } : body,
  },
  simple_schemas: {
    means: 'sends the arguments of tools in the plainest form',
    isTold: ({ text, named }, body) =>
      toolsOf(body).length > 0 &&
      (/schema|function_?declarations|grammar|additionalproperties|\$ref|\$defs|['"`.]properties\b/.test(
        text,
      ) ||
        named.some((path) => /^tools\..*(?:parameters|input_schema)/.test(path))),
    adapt: simpleSchemas,
  },
  no_tools: {
    means: 'sends no tools; calls and results of before are told in words',
    isTold: ({ text, named }, body) =>
      toolsOf(body).length > 0 && (NO_TOOLS.test(text) || named.some((path) => path === 'tools')),
    adapt: ({ tools: _, tool_choice: __, parallel_tool_calls: ___, ...body }) => toolsAsText(body),
  },
  max_tokens: {
    means: 'asks for so many tokens at most',
    isTold({ text }, body) {
      const max = maxOf(body)
      const isLarge =
        /range of max|max(?:imum)?[_ ]?(?:completion|new|output)?[_ ]?tokens.{0,120}(?:large|at most|less|<|between|range|maximum|exceed|greater|above|up to|limit|>)|(?:exceed|maximum|at most|limit).{0,80}(?:output|completion|max(?:imum)?[_ ])[_ ]?tokens|maximum tokens you requested/
      return max > 1 && isLarge.test(text) && !REFUSED.test(text) && (below(text, max) ?? Math.floor(max / 2))
    },
    adapt: (body, max) =>
      maxOf(body) > max
        ? {
            ...body,
            ...Object.fromEntries(
              tokenFields.flatMap((name) => (body[name] === undefined ? [] : [[name, max]])),
            ),
          }
        : body,
  },
  whole: {
    means: 'asks for the answer whole instead of as a stream',
    isTold: ({ text }, body) =>
      body.stream === true &&
      !(body.stream_options && text.includes('stream_options')) &&
      /\bstream(?:ing|ed)?\b/.test(text) &&
      /(?:not|n't|un)[ ]?(?:be |currently )?(?:support|available|implement|allow|enable|permit)|must be (?:set to )?false|disabled|to stream|verified/.test(
        text,
      ),
    adapt: ({ stream_options: _, ...body }) => ({ ...body, stream: false }),
  },
} as const satisfies Record<string, Quirk>

/** The largest whole number of a text that is below another. */
function below(text: string, max: number): number | null {
  const numbers = (text.match(/\d+(?:[,_ ]\d{3})*/g) ?? []).map((digits) =>
    Number(digits.replaceAll(/\D/g, '')),
  )
  const lower = numbers.filter((one) => one > 0 && one < max)
  return lower.length > 0 ? Math.max(...lower) : null
}
