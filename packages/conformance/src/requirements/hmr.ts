import { built } from './row.ts'

/** Updates of an app that is developed. */
export const hmr = [
  ...built('0135-hot-updates', {
    'hmr.state':
      'In development a saved module comes into open windows without a reload, with their state where it is accepted.',
    'hmr.reload': 'In development a document reloads where no module accepts a change.',
    'hmr.held':
      'In development windows stay as they are, and say why, while a module cannot be compiled or lacks a name that is imported; new ones get what was good last.',
    'hmr.start':
      'In development an app that cannot be built starts, says why over its windows, and loads by itself once it can be.',
    'hmr.restart':
      'In development a saved configuration of Vite takes effect in open windows; one that cannot be used is told, and the one before stays.',
    'hmr.errors':
      'In development an error of an app that nobody catches is shown over its windows, with its place in the source.',
    'hmr.policy': 'In development the policy of a document is that of production with the socket of Vite.',
    'hmr.manifest': 'In development a saved manifest or public file builds the app, and its windows load it.',
    'hmr.frameworks':
      'In development components of React and Vue keep their state over an edit, and those of Svelte what is in the modules that they import.',
    'hmr.plugins':
      'In development a saved plugin starts again; what goes wrong in one is shown over the windows of its app, with its place.',
    'hmr.harness': 'Only the harness takes a source of development for an app.',
    'hmr.closed': 'With a harness its development servers end, and their ports are free.',
    'hmr.strangers':
      'The development server refuses a socket from another page, and a request under another host name.',
  }),
] as const
