import type { Place } from './places.ts'

/** The mean radius of the earth, taken for a sphere; the true way differs by half a per cent at most. */
const EARTH_KM = 6_371.0088

/** The shortest way over the ground between two places, in whole kilometres (haversine). */
export function distanceKm(a: Place, b: Place): number {
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return Math.round(2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(Math.sin(north / 2) ** 2 + across))))
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
