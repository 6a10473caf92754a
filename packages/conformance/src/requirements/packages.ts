import { built } from './row.ts'

/** What is promised of packages, proven on their tarballs. */
export const packages = [
  ...built('0205-measured-as-published', {
    'packages.sizes': 'A published package weighs in a bundle what its sources weigh.',
    'packages.needs':
      'An app and its page need the SDK, the bridge, the contract and Comlink, and nothing else.',
    'packages.fields':
      'Packages for browsers are found by Parcel 2 as it is installed, and with TypeScript and node10.',
  }),
  ...built('0206-types-under-strict-settings', {
    'packages.types':
      'Types compile as strictly as TypeScript can, from 5.4, and name only what comes with their package.',
  }),
]
