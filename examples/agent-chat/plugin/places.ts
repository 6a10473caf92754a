import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A town of the time zone database. */
export interface Place {
  readonly name: string
  readonly country: string
  /** `Europe/Lisbon`. */
  readonly zone: string
  /** Degrees, north and east positive. */
  readonly latitude: number
  readonly longitude: number
}

/** Places that one answer lists. */
const LISTED = 8
const COORDINATES = /^([+-]\d{4,6})([+-]\d{5,7})$/

const rowsOf = (file: string): string[][] =>
  readFileSync(path.join(import.meta.dirname, '..', 'data', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))

const countries = new Map(rowsOf('iso3166.tab').map(([code = '', name = '']) => [code, name]))
const places = rowsOf('zone1970.tab').map(([codes = '', at = '', zone = '']): Place => {
  const [, latitude = '', longitude = ''] = COORDINATES.exec(at) ?? []
  return {
    name: zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '),
    country: countries.get(codes.slice(0, 2)) ?? '',
    zone,
    latitude: degreesOf(latitude, 2),
    longitude: degreesOf(longitude, 3),
  }
})

/** Reads `+DDMM` or `+DDMMSS`, with as many digits for the degrees, to four decimals. */
function degreesOf(text: string, digits: number): number {
  const part = (from: number, count: number) => Number(text.slice(1 + from, 1 + from + count) || 0)
  const degrees = part(0, digits) + part(digits, 2) / 60 + part(digits + 2, 2) / 3_600
  return (text.startsWith('-') ? -1 : 1) * Number(degrees.toFixed(4))
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** The places whose name or country holds a text, those that are called so first, and how many there are in all. */
export function findPlaces(text: string): { readonly found: number; readonly places: readonly Place[] } {
  const wanted = fold(text)
  if (wanted === '') throw new Error('name must not be empty: send the name of a town or a country')
  const rank = ({ name, country }: Place) => (fold(name) === wanted ? 0 : fold(country) === wanted ? 1 : 2)
  const all = places
    .filter(({ name, country }) => fold(name).includes(wanted) || fold(country).includes(wanted))
    .sort((a, b) => rank(a) - rank(b))
  return { found: all.length, places: all.slice(0, LISTED) }
}

/** The place that is called so. Throws where there is none, and names those that come near. */
export function placeNamed(name: string): Place {
  const { places: near } = findPlaces(name)
  const [first] = near
  if (first && fold(first.name) === fold(name)) return first
  const others = near.map((one) => one.name).join(', ') || 'none comes near'
  throw new Error(
    `there is no place called ${JSON.stringify(name)} in the atlas; of those that it has: ${others}`,
  )
}
