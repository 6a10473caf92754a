/**
 * Figures of the atlas worked out by other means: it shares with the plugin the file of data, and no code. Degrees are
 * read field by field, and the way is the angle between two arrows from the middle of the earth.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.join(import.meta.dirname, 'data', 'zone1970.tab')
const EARTH_KM = 6_371.0088
const AT = /^(?<ns>[+-])(?<n>\d\d)(?<nm>\d\d)(?<nss>\d\d)?(?<ew>[+-])(?<e>\d{3})(?<em>\d\d)(?<es>\d\d)?$/

function arrowTo(zone: string): readonly [number, number, number] {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((one) => one.split('\t')[2] === zone)
  const at = AT.exec(line?.split('\t')[1] ?? '')?.groups
  if (!at) throw new Error(`the data has no place for ${zone}`)
  const angle = (sign = '+', ...fields: readonly (string | undefined)[]) => {
    const seconds = fields.reduce((sum, field) => sum * 60 + Number(field ?? 0), 0)
    return (Number(`${sign}1`) * seconds * Math.PI) / (180 * 3_600)
  }
  const [north, east] = [angle(at.ns, at.n, at.nm, at.nss), angle(at.ew, at.e, at.em, at.es)]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

/** The way between the towns of two zones, in whole kilometres. */
export function kilometresBetween(from: string, to: string): number {
  const [a, b] = [arrowTo(from), arrowTo(to)]
  return Math.round(EARTH_KM * Math.acos(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]))
}
