import { badArchive } from './judge.ts'

const SPACE = 0x20
const EQUALS = 0x3d
const NEWLINE = 0x0a

/**
 * The records of a pax header, `<length> <key>=<value>\n` each. The library reads them line by line and passes
 * over what does not fit; a name with a line break in it would then be another name.
 */
export function paxRecords(body: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(SPACE, at)
    const digits = space === -1 ? '' : body.toString('latin1', at, space)
    const end = at + Number(digits)
    const equals = body.indexOf(EQUALS, space)
    const fits = /^[1-9]\d{0,7}$/.test(digits) && end <= body.length && body[end - 1] === NEWLINE
    if (!fits || equals === -1 || equals >= end)
      throw badArchive('has an extended header that cannot be read')
    records.set(body.toString('utf8', space + 1, equals), body.toString('utf8', equals + 1, end - 1))
    at = end
  }
  return records
}
