import { built } from './row.ts'

/** What a host keeps in its data folder, and what survives what. */
export const data = [
  ...built('0123-state-in-a-folder', {
    'data.serve':
      'svc serve keeps its data in a folder unless it is told otherwise; a folder that another process uses, or that is among the files of an app, is refused.',
    'data.kept.restart':
      'A host that was killed has its windows, sign-ins, tokens, values, uploads, plugins and sessions again.',
    'data.kept.runs':
      'A run that was under way when its host was killed has its text so far, an error frame and its end.',
    'data.kept.jobs':
      'A job that ran when its host was killed has failed, one that waited runs, and none is started twice.',
    'data.kept.page':
      'A page whose host is killed and started again says so in one sentence, loses nothing that was acknowledged, and is not loaded again.',
    'data.full':
      'Where data cannot be written, what writes fails with storage_unavailable, reads go on, /readyz says why, and all of it ends by itself.',
    'data.alone': 'A host alone on its store does not wait for the silence of those before it.',
    'data.hidden': 'No plugin behind walls sees the data folder.',
  }),
] as const
