import { built } from './row.ts'

/** The walls between iframe, page, server and plugin (design §8). */
export const walls = [
  ...built('design §8', {
    'wall.iframe.opaque': 'A bundle has the origin null and no storage of its own.',
    'wall.iframe.hello_source': 'The page takes ports only from the document of a window that it mounted.',
    'wall.iframe.welcome': 'The page answers a hello with welcome and the epoch.',
    'wall.iframe.new_epoch': 'A new hello, a closed port or a load without hello ends the epoch before.',
    'wall.iframe.sibling': 'An iframe beside another cannot speak for it.',
    'wall.iframe.secrets': 'Neither token nor cookie enters the iframe, and no uuid but its own.',
    'wall.iframe.port_names_window': 'The window of a call is the one of its port, whatever the bundle says.',
    'wall.iframe.guard': 'The page drops from a port what is no call and never runs what it names.',
    'wall.iframe.text_cap': 'Arguments over 6 MiB of text do not leave the page.',
    'wall.in_flight.host': 'The host refuses the 65th call in flight of a window with rate_limited.',
    'wall.in_flight.bridge': 'The bridge keeps 64 calls of a window at the host, in order.',
    'wall.in_flight.order': 'Quick calls of a window keep their order on the way to the host.',
    'wall.in_flight.waiting': 'The bridge lets 256 more calls wait and answers rate_limited past that.',
    'wall.bundle.csp': 'Bundle files carry the policy that keeps them opaque, even in a tab of their own.',
    'wall.bundle.cors': 'Bundle files can be loaded by an opaque origin and are sent with nosniff.',
    'wall.bundle.digest': 'The path of bundle files holds the digest of the version.',
    'wall.bundle.own_tab': 'A bundle URL in a tab of its own has the origin null and sends no cookie.',
    'wall.bundle.second_origin':
      'A second origin for bundles serves bundle files and nothing else, and writes to no route.',
    'wall.bundle.traversal': 'No path leads out of the folder of a bundle.',
    'wall.page.frame_src': 'The shell page frames the bundle folder only.',
    'wall.token.pinned': 'alg, typ, aud, iss, exp and iat of a token are pinned.',
    'wall.token.strict_text': 'Text that is not exactly one token is refused before it is verified.',
    'wall.token.one_spelling':
      'A token has one spelling: three parts, and a signature of 256 bits without slack.',
    'wall.token.renewed': 'The bridge renews a token at half its life, once for all who wait.',
    'wall.token.retry': 'The bridge retries a call once after a 401.',
    'wall.token.user_exists': 'The token of a user who is gone is refused.',
    'wall.socket.upgrade':
      'A call socket is opened to a listed Host and Origin with a sign-in, and to no other.',
    'wall.socket.token': 'Each body on a call socket shows a token, which is judged anew.',
    'wall.socket.frames': 'A frame of no known form closes its call socket.',
    'wall.socket.caps': 'The sockets of a user, their frames and the bodies under way on one are bounded.',
    'wall.socket.iframe': 'No bundle opens a call socket, and none sees the one of its page.',
    'wall.host_header': 'A request whose Host is not listed is refused with 403.',
    'wall.origin': 'A cookie route that is no GET is refused without a listed Origin.',
    'wall.media_type': 'A wrong media type is answered with 415.',
    'wall.dev_login.loopback': 'The development sign-in refuses to start on anything but loopback.',
    'wall.body_cap': 'A body over 6 MiB is refused with 413.',
    'wall.body_after_token': 'No byte of a body is buffered before its token is verified.',
    'wall.depth': 'A body deeper than 64 levels is refused without being parsed.',
    'wall.metrics': 'The metrics answer loopback or a token.',
    'wall.own_keys': 'What belongs to another reads like what does not exist.',
    'wall.runner.named': 'The built-in runner starts only the plugins that it was given.',
    'wall.plugin.environment': 'A plugin sees only the listed environment variables.',
    'wall.plugin.folder': 'A plugin runs in a folder of its own.',
    'wall.plugin.one_call': 'A plugin process serves one call at a time.',
    'wall.plugin.user': 'No plugin process serves two users.',
    'wall.plugin.pool': 'Warm processes are bounded per plugin and per runner and end when idle.',
    'wall.plugin.tree': 'A cancelled call is told, and half a second later no process of its tree lives.',
    'wall.plugin.job':
      'A job has a process of its own, which takes no place of a call and serves nothing else.',
    'wall.plugin.flood':
      'A plugin that writes without end costs the host bounded memory and starves no other call.',
    'wall.plugin.dies_with_host': 'Plugin processes end when the host is killed.',
  }),
  ...built('design §8', {
    'wall.body.run': 'A body of up to 170 MiB is read only for a run of an app with a submode.',
    'wall.cors.closed': 'Routes that take a session token open to no other origin.',
    'wall.body.run.apart':
      'It is parsed in another thread, one at a time a user, and holds up nobody else meanwhile.',
  }),
  ...built('design §8', {
    'wall.runner.token': 'Runner tokens are stored hashed and can be revoked.',
    'wall.secret': 'A host with a store or bus of the caller refuses to start without a secret.',
  }),
  ...built('design §8', {
    'wall.enrolled': 'What a user publishes runs only on a machine that this user enrolled.',
  }),
  ...built('design §8', {
    'wall.files': 'A file is sent opaque, with nosniff and its own type, and only raster images are shown.',
    'wall.uploads.cors': 'An upload URL takes bytes from any origin by its signature, and tells it why not.',
    'wall.uploads.csp':
      'A bundle reaches the uploads and shows the files of its host, and nothing else there.',
  }),
  ...built('design §8', {
    'wall.urls': 'URLs that users give pass the one rule against private networks.',
  }),
  ...built('design §8', {
    'wall.upload.path': 'A path that a plugin hands over lies in the folder of its call.',
  }),
] as const
