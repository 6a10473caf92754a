import { built } from './row.ts'

/** One call through six rooms, states, ports. */
export const calls = [
  ...built('0017-lanes-and-batches', {
    'design.lanes.agree': 'The slow methods that the bridge knows are those that the table marks.',
  }),
  ...built('0002-the-method-table', {
    'design.method_table': 'Each method that a client can call is one row of the table.',
    'design.inherited_names': 'A name from outside never finds what an object inherits.',
    'design.errors.statuses': 'The row of each code names the HTTP status that it is answered with.',
    'design.limits.names': 'The table of limits has every name that an operator may set.',
  }),
  ...built('0001-a-package-is-a-place', {
    'design.no_zod': 'No zod reaches the iframe, the page of the bridge or a plugin.',
  }),
  ...built('0004-order-of-checks', {
    'design.order.token_body': 'A bad token is answered before body, depth and shape are judged.',
    'design.order.shape_wid': 'Shape and depth are judged before wid.',
    'design.order.wid_window': 'wid is judged before whether the window is open.',
    'design.order.window_in_flight': 'A closed window is found out before calls in flight are counted.',
    'design.order.access_exists': 'Access is judged before whether the method exists.',
    'design.order.exists_args': 'An unknown method is found out before its arguments are judged.',
    'design.undeclared': 'A method or stub that is not declared is permission_denied, not not_implemented.',
    'design.unwired': 'A declared method that is not wired is not_implemented.',
  }),
  ...built('0051-numbers-keep-their-text', {
    'numbers.verbatim':
      'The numbers in the args of a tool call and in a stored value keep their text on the whole way, and so do those of a result; past the range of a double they are refused.',
    'numbers.refused':
      'A number that cannot be kept exactly where it goes is invalid_arg, by its path and with its text.',
    'numbers.many':
      'A body with more than 20 000 numbers that JavaScript would write in another way is refused before it is parsed.',
  }),
  ...built('0075-order-of-effects', {
    'order.effects':
      'What a document calls in order on storage, files and window takes effect in that order.',
  }),
  ...built('0003-envelope-and-id', {
    'design.internal_error': 'An unknown throw is answered with a fixed sentence and its cause is logged.',
  }),
  ...built('docs/reference/methods.md', {
    'design.hello.capabilities':
      'hello tells the limits that the client works with and the longest tool timeout.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'design.sdk.wait': 'The client waits 5 s longer than the timeout of a tool call, 70 s at the least.',
    'design.sdk.settles': 'Every promise of the client settles.',
  }),
  ...built('0018-handshake-by-ports', {
    'design.sdk.bridge_reset': 'Calls of a document that went away are rejected with bridge_reset.',
    'design.sdk.last_calls':
      'What a document calls while it goes away, in any listener of pagehide, visibilitychange or unload, is sent.',
  }),
  ...built('0002-the-method-table', {
    'design.sdk.no_probes':
      'A name that the language or a tool asks of any object is no method of the client; reading the client calls nothing.',
  }),
  ...built('packages/sdk/README.md', {
    'design.sdk.not_hosted': 'Where nobody answers the hello in 2 s, calls are rejected with not_hosted.',
    'design.sdk.timeout': 'A call that nobody answers is rejected with timeout.',
    'design.sdk.abort': 'An AbortSignal gives up any call.',
    'design.sdk.error': 'HostRpcError has code, message, details, retryable and hint.',
    'design.sdk.error_brand': 'isHostRpcError knows an error of another copy of the client too.',
  }),
  ...built('0012-clamp-or-reject', {
    'design.sentence': 'The sentence of an invalid_arg names the field, the rule and the value.',
  }),
  ...built('0004-order-of-checks', {
    'design.denied_by': 'A denial tells which check refused and which manifest line would allow it.',
  }),
  ...built('docs/reference/errors.md', {
    'design.session_errors.details':
      'A named session error carries rpc_code where it has one, and http_status.',
  }),
  ...built('0018-handshake-by-ports', {
    'design.body_kept_text': 'The bridge hands arguments and results on as text, unread.',
  }),
  ...built('0021-states-are-tables', {
    'design.machine.next': 'A machine answers the next state, or null where there is no such move.',
    'design.machine.sources': 'A machine lists the states that an event may leave.',
    'design.machine.active': 'A machine tells states that something leaves from those that nothing leaves.',
  }),
  ...built('0015-store-bus-blobs', {
    'design.store.caps': 'Of twenty inserts at once under a cap of five exactly five are taken.',
    'design.store.exists_first': 'An insert of a row that exists says so, even when the cap is full.',
    'design.store.swap': 'Of two swaps on one revision one wins.',
    'design.store.scan': 'A scan is in order, in its range, and comes to each row once over its cursors.',
    'design.store.unicode': 'Keys may hold any Unicode and keep their order.',
    'design.bus.journal_fenced': 'A journal refuses an append that is not above its tail.',
    'design.bus.read': 'A journal is read after a cursor, and followed from there.',
    'design.bus.no_host': 'Asking a host that is not there fails at once with no_host.',
    'design.blobs': 'A blob is put and read by its digest.',
  }),
] as const
