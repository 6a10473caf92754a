import { built } from './row.ts'

/** Completions, streams, images and uploads. */
export const modelsAndMedia = [
  ...built('0037-frames-on-the-event-stream', {
    'ids.stream': 'The id of a stream begins with strm_.',
  }),
  ...built('0080-which-model-a-call-gets', {
    'llm.complete.messages': 'complete takes a list of messages with role and text that is not empty.',
  }),
  ...built('docs/reference/methods.md', {
    'llm.complete.max_tokens': 'complete takes maxTokens as a number.',
    'llm.complete.preferences': 'complete takes hints and priorities as model preferences.',
    'llm.complete.result': 'complete answers the text, the model, why it stopped and the usage.',
  }),
  ...built('docs/reference/events.md', {
    'stream.frame': 'A frame carries stream, window, seq, payload and done.',
  }),
  ...built('docs/reference/stdio.md', {
    'stream.plugin': 'On the path of a plugin frames are delta and final.',
  }),
  ...built('docs/reference/methods.md', {
    'llm.complete.stateless': 'complete keeps nothing and counts against the quota of the user.',
    'llm.embed': 'llm.embed is offered and counts against the quota.',
  }),
  ...built('0080-which-model-a-call-gets', {
    'decision.models.max_tokens':
      'maxTokens is lowered to the granted max_tokens_per_call, or to 4 096 where none is granted.',
    'design.models.configured': 'A host answers with the models that it was given, or with none.',
    'design.models.environment': 'Three variables name an OpenAI-compatible server.',
    'design.models.lazy': 'A host whose models need no provider starts without loading one.',
  }),
  ...built('docs/guides/models.md', {
    'design.models.dialects':
      'What servers of models are known for costs no user an answer; the guide has a row for each.',
    'design.dev_model': 'The built-in model says what it is, streams, and calls the tool it is told to.',
  }),
  ...built('0080-which-model-a-call-gets', {
    'decision.models.granted': 'Hints and priorities choose among the models that the install allows.',
  }),
  ...built('0030-quotas-by-day', {
    'decision.quota.atomic': 'However many ask at once, no more get a place than there are.',
    'decision.quota.day': 'A quota is for a day in UTC; what was begun counts on the day of its beginning.',
    'decision.quota.kept_apart': 'Users, apps and kinds of use do not take from each other.',
    'decision.quota.app_calls': 'The granted max_runs_per_day counts the completions and runs of an app.',
    'decision.quota.settled':
      'A charge is settled with what was used, and given back only if nothing reached the model.',
  }),
  ...built('0029-models-and-how-they-fail', {
    'decision.model.times': 'A model that is silent or slow for too long is given up.',
    'decision.model.cap': 'A model may answer so many bytes; past that it is cut off.',
    'decision.model.retry': 'A model is asked again only before its first token.',
    'decision.model.failures': 'Each way for a model to fail has its code and says whether to try again.',
    'decision.model.left': 'When the caller is gone the request to the model is closed.',
    'wall.model_keys': 'No key reaches an error or the log, and no text of a provider an app.',
  }),
  ...built('0145-how-an-answer-is-read', {
    'decision.model.end':
      'An answer ends with a finish reason or [DONE], whether or not its connection does; without either it is cut.',
  }),
  ...built('0158-what-a-refusal-tells', {
    'decision.model.retry_after':
      'A server that says when to ask again is asked then, or at once told of, with the time.',
    'decision.model.fixes': 'The log says where a request went, what is wrong, and what to change.',
  }),
  ...built('docs/reference/events.md', {
    'event.rpc_stream': 'Frames of a run reach the page as rpc.stream.',
  }),
  ...built('0038-reading-a-run-in-the-client', {
    'sdk.stream.reorder': 'The client puts frames in order by seq in a buffer of 256.',
    'sdk.stream.done': 'The stream of the client ends after done.',
  }),
  ...built('0039-sessions-over-http', {
    'stream.route.aborted': 'A cancel ends the stream of the route with complete and aborted: true.',
  }),
  ...built('0032-images', {
    'image.generate': 'generate takes a prompt and answers images with a url.',
    'image.edit': 'edit takes a prompt and an image and answers images with a url.',
    'image.strict': 'A prompt is visible text, n is 1 to 4, a size is two numbers of pixels.',
    'image.quota': 'Every image counts against the quota of its user for the day.',
    'image.own_source': 'An image to be changed is a confirmed file of the app itself.',
    'image.configured': 'The image model comes from the operator; a host without one does not offer it.',
    'design.images.guarded': 'An image model is held to times, a byte cap and retries like every model.',
  }),
  ...built('0031-files-and-uploads', {
    'upload.inline': 'inline takes bytes as base64 and answers file_ref and url.',
  }),
  ...built('0081-types-of-files', {
    'upload.inline.strict':
      'inline takes strict base64 of a listed type whose bytes fit it, a purpose and a plain file name.',
  }),
  ...built('0031-files-and-uploads', {
    'upload.list':
      'list gives the files of the app and user, uploads under way and images among them, oldest first and by pages; nothing of another app or user.',
    'upload.delete':
      'delete makes a file or an upload unreadable and frees its place and bytes; one that is not there is not_found.',
  }),
  ...built('docs/guides/files.md', {
    'upload.inline.cap': 'inline takes 4 MiB of bytes and no more.',
  }),
  ...built('0031-files-and-uploads', {
    'upload.negotiate': 'negotiate answers where to upload and a file_ref.',
    'upload.confirm': 'confirm answers the url of an uploaded file.',
  }),
] as const
