import { serve, tool } from '@svc/plugin'
import { distanceKm } from './distance.ts'
import { findPlaces, placeNamed } from './places.ts'

const find_place = tool({
  description:
    'Finds towns by name or country: coordinates in degrees and time zone. Few hundred large towns.',
  parameters: [
    {
      name: 'name',
      type: 'string',
      required: true,
      description: 'A town or a country, or a part of its name.',
    },
  ],
  run: ({ name }) => findPlaces(name),
})

const distance = tool({
  description: 'The shortest way over the ground between two towns, in kilometres.',
  parameters: [
    { name: 'from', type: 'string', required: true, description: 'A town as find_place names it.' },
    { name: 'to', type: 'string', required: true, description: 'Another one.' },
  ],
  run: ({ from, to }) => {
    const [a, b] = [placeNamed(from), placeNamed(to)]
    return { from: a.zone, to: b.zone, km: distanceKm(a, b) }
  },
})

serve({ name: 'atlas', version: '1.0.0', tools: { find_place, distance } })
