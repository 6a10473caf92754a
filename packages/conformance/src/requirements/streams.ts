import { built } from './row.ts'

/** The event stream, the call socket and the lanes of the bridge, and what runs keep through it all. */
export const streams = [
  ...built('0020-one-event-stream', {
    'design.events.multiplexed': 'One event stream serves all windows of a page.',
  }),
  ...built('docs/reference/routes.md', {
    'design.events.cookie': 'The event stream needs the cookie.',
  }),
  ...built('0037-frames-on-the-event-stream', {
    'design.events.foreign': 'A window of another user gets nothing on the stream.',
  }),
  ...built('0020-one-event-stream', {
    'design.events.resume': 'A reconnect with its cursor misses no event and repeats none.',
    'design.events.reset': 'A cursor that is too old is answered with reset.',
    'design.events.back':
      'A page that was told that the host is lost is told when it is back, whatever windows it has left.',
    'design.events.retry': 'The stream asks for a reconnect after one second.',
    'design.events.comment': 'A silent stream carries a comment each 15 s.',
    'design.events.cursor_bound': 'The cursor of one user is worth nothing to another.',
  }),
  ...built('docs/reference/routes.md', {
    'design.events.unnamed': 'Events are unnamed messages of flat JSON with type and window_uuid.',
  }),
  ...built('0020-one-event-stream', {
    'design.events.reader_cost': 'A reader that does not read costs 1 MiB at most and is cut after 30 s.',
  }),
  ...built('0017-lanes-and-batches', {
    'design.lanes.slow': 'At most three requests of a page carry slow methods.',
    'design.lanes.quick': 'Slow calls never hold up the quick ones.',
    'design.lanes.from_table': 'The lane of a call is read from the table and never from the iframe.',
    'design.batch.array': 'A body may be an array of envelopes and is answered with one JSON line for each.',
    'design.batch.size': 'An array has 1 to 64 envelopes; an empty one is invalid_arg.',
    'design.batch.each': 'Each envelope of an array is judged by itself.',
    'design.batch.content_type':
      'An array is answered 200 as application/x-ndjson unless refused as a whole.',
    'design.batch.as_ready': 'Each line of an array comes as soon as it is ready.',
    'design.batch.in_flight': 'Each envelope of an array counts as in flight.',
  }),
  ...built('0023-the-call-socket', {
    'design.socket.same': 'A body on the call socket gets the answers that a POST of it gets.',
    'design.socket.cancel':
      'A number alone gives up the body of that number; the end of a socket, all of them.',
    'design.socket.gather': 'Answers leave together on a busy socket, and at once on another.',
  }),
  ...built('0076-when-a-call-socket-closes', {
    'design.socket.reader':
      'A reader that takes nothing is cut in time, and a slow one is not; until then only few answers are made for it.',
    'design.socket.ping': 'A socket that leaves a ping unanswered is cut.',
    'design.socket.close': 'A host that closes answers what is under way on its sockets, then closes them.',
  }),
  ...built('0023-the-call-socket', {
    'design.socket.quick': 'Calls that hang on the socket hold up no other.',
    'design.socket.post': 'Where no socket stands, calls go by POST.',
  }),
  ...built('0076-when-a-call-socket-closes', {
    'design.socket.back': 'A socket that broke settles its calls and is opened again.',
  }),
  ...built('0188-events-over-the-call-socket', {
    'design.events.socket':
      'A page reads its events over its call socket, once that stands, and misses none.',
    'design.events.tabs': 'Twelve tabs of one browser at one host each get answers and their own events.',
  }),
  ...built('0202-a-front-that-bends', {
    'bridge.bent':
      'Behind proxies, middleware and networks of many kinds an app works, or its page is told what is wrong.',
  }),
  ...built('0200-parts-of-the-bridge-on-demand', {
    'bridge.parts': 'What a part on demand would do is done without it, or refused, where it does not come.',
  }),
  ...built('0203-whether-the-connection-lives', {
    'bridge.silence':
      'A connection on which nothing comes for 18 s is taken for dead, and the host is asked at once.',
    'bridge.calls.again': 'Calls that only read are sent again where the connection died under them.',
    'bridge.held': 'Events come in short pieces where something on the way holds the stream back.',
    'bridge.foreign': 'What something before the host answers is never taken for an answer of the host.',
    'bridge.late': 'A window that is answered too late is closed, and `timeoutMs` bounds the whole.',
    'bridge.network': 'A network that goes or comes is a reason to ask the host at once.',
  }),
  ...built('0038-reading-a-run-in-the-client', {
    'design.stream.gap': 'A gap asks for a replay; too many waiting frames fail with stream_gap.',
    'design.stream.early': 'Frames that outrun the reply of their run wait for it.',
    'design.stream.silent': 'The client asks for a replay after 60 s without a frame.',
    'design.stream.reset': 'After a reset the client attaches to its runs again.',
    'design.stream.retry': 'The client asks on while the host is away, and fails with what refuses a replay.',
  }),
  ...built('docs/reference/methods.md', {
    'design.stream.attach': 'attach sends the frames after a seq again to the calling window.',
  }),
  ...built('docs/guides/streams.md', {
    'design.stream.closed_tab': 'Closing a tab cancels no run.',
  }),
  ...built('0037-frames-on-the-event-stream', {
    'design.stream.unnamed': 'Frames are unnamed messages without a cursor.',
    'design.stream.unasked': 'A page follows the live runs of its windows from the first frame unasked.',
    'design.stream.resume': 'A reconnect that names its streams misses no frame and repeats none.',
    'design.stream.foreign': 'A stream of another user is like one that never was.',
    'design.stream.slow_reader':
      'A run is never slower for a reader, and a reader costs 1 MiB with all its streams.',
  }),
  ...built('docs/reference/routes.md', {
    'design.events.jobs': 'With jobs=1 the stream carries the jobs of the user over all apps.',
  }),
  ...built('docs/guides/streams.md', {
    'design.kept.reload':
      'A run is read whole, and cancelled, after a reload of its document or of the page.',
    'design.kept.network': 'A network that is away for a while takes nothing from a run.',
    'design.kept.sleep':
      'A page that slept past the life of its token goes on, and has all of a run that went on without it.',
  }),
  ...built('docs/guides/sessions.md', {
    'design.kept.cancel':
      'What a run had said before its cancel is the same in every tab and in the history.',
  }),
  ...built('0211-what-was-acknowledged-is-told', {
    'events.acknowledged':
      'What was acknowledged of a window, a job or a card is told to the pages of its user, or they get a reset, though the host is killed at any moment after.',
    'events.order':
      'Of events about one window or job none comes behind a newer one, whichever hosts wrote them, and none comes twice.',
  }),
] as const
