import { distributionSchema, distributionText, needsSentence, reachSentence } from '@svc/contract'
import { authorText, type OfferedPlugin, plainLine } from '@svc/runner'

/** Returns in one line what runs: id, version, author, where it comes from, what it reaches, and walls or not. */
export function pluginLine(plugin: OfferedPlugin, walls: boolean): string {
  const { id, version, author, distribution, reach, digest } = plugin
  const read = distributionSchema.safeParse(distribution)
  const from = read.success ? distributionText(read.data) : 'a distribution that cannot be read'
  const needs = read.success ? needsSentence({ ...read.data, reach }) : ''
  const around = walls ? 'It runs isolated.' : 'It runs WITHOUT isolation, with your rights.'
  return plainLine(
    `plugin ${id} ${version} by ${authorText(author)}: ${from}. ${needs && `${needs} `}${reachSentence(reach)} ${around} Digest: ${digest}.`,
  )
}
