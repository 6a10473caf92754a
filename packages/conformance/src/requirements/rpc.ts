import { built } from './row.ts'

/** The envelope and the endpoint of all calls. */
export const rpc = [
  ...built('0017-lanes-and-batches', {
    'call.bridge': 'A call of a bundle crosses the bridge and reaches the host as one HTTP request.',
  }),
  ...built('SECURITY.md', {
    'call.sandbox': 'A bundle runs in a sandboxed iframe.',
  }),
  ...built('docs/reference/methods.md', {
    'call.namespaces': 'The namespaces are those of the protocol, and no other.',
    'call.stub.namespaces': 'artifact, fs and prefs are known namespaces that offer nothing.',
  }),
  ...built('0003-envelope-and-id', {
    'envelope.id': 'id is a string that comes back in the answer.',
    'envelope.window_uuid': 'window_uuid must be a string.',
    'envelope.ns': 'ns must be a string.',
    'envelope.method': 'method must be a string.',
    'envelope.args': 'args must be an object.',
    'envelope.success': 'A success is {id, ok: true, result} with an object as result.',
    'envelope.failure': 'A failure is {id, ok: false, error} with a code and a message as strings.',
    'envelope.failure.details': 'details of an error is an object, or absent.',
  }),
  ...built('docs/reference/routes.md', {
    'rpc.route': 'Calls go by POST to /api/v1/svc-apps/runtime/rpc.',
  }),
  ...built('0004-order-of-checks', {
    'rpc.order.token_first': 'A bad token is answered before anything else of the call is judged.',
    'rpc.order.manifest_before_grant': 'The manifest is judged before the grants of the install.',
    'rpc.order.access_before_handler':
      'No handler runs before manifest and grants have let the call through.',
  }),
] as const
