import type { AppStory } from '@svc/cli/app-story'

/** A job as short as the app allows. */
export default {
  steps: {
    'index for a second': async ({ frame }) => {
      await frame.getByLabel('Seconds at most').fill('1')
      await frame.getByRole('button', { name: 'Index it' }).click()
    },
  },
} satisfies AppStory
