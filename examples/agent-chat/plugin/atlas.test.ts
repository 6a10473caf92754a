import { expect, it } from 'vitest'
import { distanceKm } from './distance.ts'
import { findPlaces, placeNamed } from './places.ts'

it.each([
  [
    'lisbon',
    { name: 'Lisbon', country: 'Portugal', zone: 'Europe/Lisbon', latitude: 38.7167, longitude: -9.1333 },
  ],
  [
    'SAO PAULO',
    {
      name: 'Sao Paulo',
      country: 'Brazil',
      zone: 'America/Sao_Paulo',
      latitude: -23.5333,
      longitude: -46.6167,
    },
  ],
  [
    'Troll',
    { name: 'Troll', country: 'Antarctica', zone: 'Antarctica/Troll', latitude: -72.0114, longitude: 2.535 },
  ],
])('%s is found, however it is written', (name, place) => {
  expect(findPlaces(name).places[0]).toEqual(place)
})

it.each([
  ['São', 'Sao'],
  ['new york', 'New York'],
  ['Portugal', 'Lisbon'],
])('%s leads to %s', (text, name) => {
  expect(findPlaces(text).places[0]?.name).toContain(name)
})

it('lists a few of many, and says how many there are', () => {
  const { found, places } = findPlaces('a')
  expect(found).toBeGreaterThan(100)
  expect(places).toHaveLength(8)
})

// Kilometres on the ellipsoid WGS 84, by Vincenty's formula: the sphere misses them by half a per cent at most.
it.each([
  ['Lisbon', 'Tokyo', 11_173],
  ['London', 'New York', 5_585],
  ['Sydney', 'Auckland', 2_160],
  ['Lima', 'Lima', 0],
])('from %s to %s', (from, to, km) => {
  expect(Math.abs(distanceKm(placeNamed(from), placeNamed(to)) - km)).toBeLessThanOrEqual(0.005 * km)
})

it.each([
  ['Atlantis', /there is no place called "Atlantis" in the atlas; .*none comes near$/],
  ['Lisb', /there is no place called "Lisb" in the atlas; .*Lisbon$/],
  [' ', /name must not be empty/],
])('%j is refused readably', (name, sentence) => {
  expect(() => placeNamed(name)).toThrow(sentence)
})
