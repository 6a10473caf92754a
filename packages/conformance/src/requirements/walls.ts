import { built } from './row.ts'

/** The walls between iframe, page, server and plugin. */
export const walls = [
  ...built('SECURITY.md', {
    'wall.iframe.opaque': 'A bundle has the origin null and no storage of its own.',
  }),
  ...built('0018-handshake-by-ports', {
    'wall.iframe.hello_source': 'The page takes ports only from the document of a window that it mounted.',
    'wall.iframe.welcome': 'The page answers a hello with welcome and the epoch.',
    'wall.iframe.new_epoch': 'A new hello, a closed port or a load without hello ends the epoch before.',
    'wall.iframe.sibling': 'An iframe beside another cannot speak for it.',
    'wall.iframe.secrets': 'Neither token nor cookie enters the iframe, and no uuid but its own.',
    'wall.iframe.port_names_window': 'The window of a call is the one of its port, whatever the bundle says.',
    'wall.iframe.guard': 'The page drops from a port what is not a call and never runs what it names.',
  }),
  ...built('docs/reference/limits.md', {
    'wall.iframe.text_cap': 'Arguments over 6 MiB of text do not leave the page.',
  }),
  ...built('0052-a-frame-without-its-app', {
    'wall.frame.arrives':
      'mountWindow and attachWindow resolve once a document of the app is in the frame, and reject with load_failed, the reason and the address where none comes; onError hears of it.',
    'wall.frame.undone':
      'A window whose document did not come is not left on the page, and a new one not at the host.',
    'wall.frame.told': 'A window tells its page what happened to it before the page had it.',
    'wall.frame.removed':
      'A document whose iframe is taken out of the page is disconnected within a second or so.',
  }),
  ...built('0109-apps-that-stop-responding', {
    'wall.frame.alone':
      'An app in an endless loop holds up no other app, open or opened after its window was closed by force.',
    'wall.frame.unresponsive':
      'A page is told when a connected document has given no sign of life for 5 s; the user can end it, and what is opened or reloaded then works where each app has a site of its own.',
  }),
  ...built('0189-windows-that-show-no-app', {
    'wall.frame.ended': 'A page is told when the document of a window is gone and no other came for 5 s.',
  }),
  ...built('0102-frames-that-flood-the-page', {
    'wall.frame.flood':
      'A frame that floods its page or its port is closed with a reason before it is read on; a burst of calls is not.',
  }),
  ...built('SECURITY.md', {
    'wall.fuzz':
      'No envelope, body, request, event, message or plugin line makes the host, the page or the runner crash, hang, or answer with internal_error.',
  }),
  ...built('0017-lanes-and-batches', {
    'wall.in_flight.host': 'The host refuses the 65th call in flight of a window with rate_limited.',
    'wall.in_flight.bridge': 'The bridge keeps 64 calls of a window at the host, in order.',
    'wall.in_flight.order': 'Quick calls of a window keep their order on the way to the host.',
    'wall.in_flight.waiting':
      'The bridge lets 256 calls wait behind the 64 at the host, also when all come in one tick; past them it answers rate_limited.',
  }),
  ...built('docs/guides/page.md', {
    'wall.frame.anywhere':
      'A window works in a frame or popup of its page too, and where it is moved to; one that is moved loads its app anew.',
  }),
  ...built('0199-why-an-app-did-not-load', {
    'wall.frame.reason':
      'load_failed names the reason, with the line to change, soon after anything came in place of the app.',
  }),
  ...built('0198-pages-with-an-embedder-policy', {
    'wall.bundle.embedder_policy':
      'Apps work in pages with Cross-Origin-Embedder-Policy, and are cross-origin isolated where their page allows it.',
  }),
  ...built('0056-no-way-out-of-a-bundle', {
    'wall.bundle.csp': 'Bundle files carry the policy that keeps them opaque, even in a tab of their own.',
    'wall.bundle.out':
      'No way out of a bundle sends a byte or a packet, opens a connection or looks a name up.',
  }),
  ...built('0107-the-prelude-of-a-document', {
    'wall.bundle.prelude':
      'Every HTML document of a bundle begins with the prelude, which takes WebRTC and frames away for good.',
    'wall.bundle.libraries':
      'Libraries that make a policy of Trusted Types of their own work in a bundle, and make no frame.',
  }),
  ...built('0201-nothing-runs-without-the-prelude', {
    'wall.bundle.first':
      'Whatever a proxy does to the policy of a document, its app runs behind all walls, or nothing of it does.',
  }),
  ...built('0180-what-a-bundle-may-use', {
    'wall.bundle.platform':
      'Own files, fonts, media, forms, WebAssembly and workers work in a bundle as in any page.',
  }),
  ...built('0183-workers-are-counted', {
    'wall.bundle.workers': 'Workers of a window are bounded, and a refusal says what to do.',
  }),
  ...built('0185-what-an-app-has-not', {
    'wall.bundle.features': 'An app has of the web platform what the guide says.',
  }),
  ...built('0186-packages-that-are-tried', {
    'wall.bundle.packages': 'Packages of the registry work in apps, but for what is said of them.',
  }),
  ...built('0181-links-of-an-app', {
    'wall.bundle.links':
      'A link, a form or open() never replaces a document: other sites are opened by the page, which asks its user.',
  }),
  ...built('0056-no-way-out-of-a-bundle', {
    'install.grants.egress':
      'A bundle fetches from and loads images from the origins that its manifest names and its user allowed.',
    'wall.bundle.inert':
      'A bundle file that is no HTML document runs and loads nothing where it is shown as one.',
  }),
  ...built('0108-tickets-of-documents', {
    'wall.bundle.cors': 'Bundle files can be loaded by an opaque origin and are sent with nosniff.',
    'wall.bundle.digest': 'The path of bundle files holds the digest of the version.',
  }),
  ...built('SECURITY.md', {
    'wall.bundle.own_tab': 'A bundle URL in a tab of its own has the origin null and sends no cookie.',
  }),
  ...built('0057-a-site-for-each-app', {
    'wall.bundle.second_origin':
      'A second origin for bundles serves bundle files, takes reports of browsers, and has no other route.',
  }),
  ...built('0108-tickets-of-documents', {
    'wall.bundle.window':
      'A document of a bundle is served to its own open window alone: with the ticket of that window, for that bundle, at the origin of that app.',
  }),
  ...built('0155-a-document-is-bound-to-its-frame', {
    'wall.bundle.frame': 'No document runs in the frame of another window, which is closed with a reason.',
  }),
  ...built('0057-a-site-for-each-app', {
    'wall.bundle.apart':
      'With a pattern of bundle origins each app has a site of its own, which serves bundles, takes reports of browsers, and has no other route.',
  }),
  ...built('0014-archives', {
    'wall.bundle.traversal': 'No path leads out of the folder of a bundle.',
  }),
  ...built('SECURITY.md', {
    'wall.page.frame_src': 'The shell page frames the bundle folder only.',
    'wall.token.pinned': 'alg, typ, aud, iss, exp and iat of a token are pinned.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'wall.token.strict_text': 'Text that is not exactly one token is refused before it is verified.',
    'wall.token.one_spelling':
      'A token has one spelling: three parts, and a signature of 256 bits without slack.',
    'wall.token.renewed': 'The bridge renews a token at half its life, once for all who wait.',
    'wall.token.retry': 'The bridge retries a call once after a 401.',
  }),
  ...built('0016-two-fronts-one-core', {
    'wall.token.head':
      'A token is judged when the head of its call comes; a body may take longer than it lives.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'wall.token.user_exists': 'The token of a user who is gone is refused.',
  }),
  ...built('0023-the-call-socket', {
    'wall.socket.upgrade':
      'A call socket is opened to a listed Host and Origin with a sign-in, and to no other.',
    'wall.socket.token': 'Each body on a call socket shows a token, which is judged anew.',
  }),
  ...built('0076-when-a-call-socket-closes', {
    'wall.socket.frames': 'A frame of no known form closes its call socket.',
    'wall.socket.caps': 'The sockets of a user, their frames and the bodies under way on one are bounded.',
  }),
  ...built('SECURITY.md', {
    'wall.socket.iframe': 'No bundle opens a call socket, and none sees the one of its page.',
  }),
  ...built('0019-development-sign-in', {
    'wall.host_header': 'A request whose Host is not listed is refused with 403.',
  }),
  ...built('SECURITY.md', {
    'wall.origin': 'A cookie route that is no GET is refused without a listed Origin.',
  }),
  ...built('docs/reference/routes.md', {
    'wall.media_type': 'A wrong media type is answered with 415.',
  }),
  ...built('0019-development-sign-in', {
    'wall.dev_login.loopback': 'The development sign-in refuses to start on anything but loopback.',
  }),
  ...built('0054-who-is-on-the-machine', {
    'wall.dev_login.token':
      'The development sign-in lets in only who shows the start token, on whatever address the host is served.',
    'wall.dev_login.here':
      'The development sign-in is for this machine: a host with other origins or addresses has none, and pages elsewhere are refused.',
    'wall.dev_login.token_file':
      'svc keeps the start token of a user where no other user can read it, and takes none from a file that others can read.',
  }),
  ...built('0087-large-bodies', {
    'wall.body_cap': 'A body over 6 MiB is refused with 413.',
  }),
  ...built('0003-envelope-and-id', {
    'wall.body_after_token': 'No byte of a body is buffered before its token is verified.',
    'wall.depth': 'A body deeper than 64 levels is refused without being parsed.',
  }),
  ...built('0059-limits-of-load', {
    'wall.metrics':
      'The metrics answer loopback or a token; where an origin names a host that others reach, the token alone.',
  }),
  ...built('SECURITY.md', {
    'wall.own_keys': 'What belongs to another reads like what does not exist.',
    'wall.runner.named': 'The built-in runner starts only the plugins that it was given.',
  }),
  ...built('0008-a-process-per-call', {
    'wall.plugin.environment': 'A plugin sees only the listed environment variables.',
  }),
  ...built('0103-files-that-a-plugin-sees', {
    'wall.plugin.view':
      'A plugin behind walls sees a read-only system, its own files and folder and what its user agreed to: no home, no other process, no other install.',
  }),
  ...built('0166-walls-that-suit-programs', {
    'wall.plugin.programs':
      'A program of the operator that starts without walls starts behind them too: by links and alternatives of the system, in folders of its own, by its interpreter.',
  }),
  ...built('0165-plugins-of-an-app', {
    'wall.plugin.app':
      'A plugin of svc.plugins is behind walls and finds what its app has installed; with the reach "all" it has none.',
    'plug.app.values':
      'A plugin of svc.plugins has the values of its variables from the environment, else from .env, and does not start without those that it requires.',
  }),
  ...built('0174-servers-that-a-plugin-reaches-by-tcp', {
    'wall.plugin.tcp':
      'A plugin reaches a server that its reach names by TCP, with any client; one of its machine or network only where the owner of the machine configured the plugin.',
  }),
  ...built('0176-machines-of-a-company', {
    'wall.plugin.company':
      'The proxy and the certificates that the environment of a machine names hold for installers, and for plugins that reach hosts.',
  }),
  ...built('0173-what-walls-refuse-is-told', {
    'wall.plugin.told':
      'What walls refuse a plugin is told once a host in the log, and at the call that fails, with the line that would allow it.',
    'wall.plugin.told.apps': 'An app of others learns by that nothing of the reach that an operator wrote.',
  }),
  ...built('0053-walls-around-plugins', {
    'wall.plugin.network':
      'A plugin behind walls reaches no host but those that it may reach, by a proxy that judges each again.',
    'wall.plugin.install':
      'What installs a package sees its own folder and its own settings alone and reaches its index alone, and so does what a package has it run.',
    'wall.plugin.survivor': 'What outlives its kill is told to the operator, by its pid.',
    'wall.plugin.proven':
      'A runner tries its walls on its machine before anything runs behind them, and takes walls that do not hold for none.',
    'wall.plugin.kernel':
      'A plugin behind walls has no capability, gains none, and changes nothing of the machine.',
  }),
  ...built('0104-limits-of-plugin-processes', {
    'wall.plugin.bounds':
      'Memory, processes, files and CPU of a plugin process are bounded; one past them is ended, and its author told.',
    'wall.plugin.shares':
      'Memory and processes of all plugins of a user on a runner are bounded together; past them the one that takes the most is ended.',
  }),
  ...built('0163-limits-kept-by-cgroups', {
    'wall.plugin.cgroup':
      'Where a runner may make cgroups, the kernel holds each plugin process, each user and all of them to their limits; else they are counted.',
  }),
  ...built('0105-machines-without-isolation', {
    'wall.default.isolation':
      'A host that others can reach requires isolation, unless its operator said otherwise.',
    'wall.plugin.required':
      'Where there are no walls, a published plugin is plug_unavailable with a hint, unless the operator said none.',
  }),
  ...built('0041-publishing-plugins', {
    'wall.default.publishing':
      'Users publish for themselves, unless the operator lets them publish for everybody or only the development sign-in is there.',
    'wall.publishing.own':
      'Where users publish for themselves no plugin is made public, and nobody installs the release of another.',
  }),
  ...built('0078-folders-of-processes', {
    'wall.plugin.folder': 'A plugin runs in a folder of its own.',
    'wall.plugin.folder.left':
      'A start removes the folders that killed hosts of its user have left, and none whose owner may live.',
  }),
  ...built('0008-a-process-per-call', {
    'wall.plugin.one_call': 'A plugin process serves one call at a time.',
    'wall.plugin.user': 'No plugin process serves two users.',
    'wall.plugin.pool': 'Warm processes are bounded per plugin and per runner and end when idle.',
    'wall.plugin.apps_apart': 'No process of a plugin ever serves two apps.',
    'wall.plugin.late':
      'Nothing of a call or a job goes on 500 ms after it ended late or cancelled, whatever its plugin says.',
    'wall.plugin.tree': 'A cancelled call is told, and half a second later no process of its tree lives.',
    'wall.plugin.job':
      'A job has a process of its own, which takes no place of a call and serves nothing else.',
  }),
  ...built('0025-when-a-process-is-used-again', {
    'wall.plugin.flood':
      'A plugin that writes without end costs the host bounded memory and starves no other call.',
  }),
  ...built('0024-how-a-tree-is-kept-together', {
    'wall.plugin.dies_with_host': 'Plugin processes end when the host is killed.',
  }),
  ...built('0087-large-bodies', {
    'wall.body.run': 'A body of up to 170 MiB is read only for a run of an app with a submode.',
  }),
  ...built('0039-sessions-over-http', {
    'wall.cors.closed': 'Routes that take a session token open to no other origin.',
  }),
  ...built('0087-large-bodies', {
    'wall.body.run.apart':
      'It is parsed in another thread, one at a time a user, and holds up nobody else meanwhile.',
  }),
  ...built('0048-runners-of-users', {
    'wall.runner.token': 'Runner tokens are stored hashed and can be revoked.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'wall.secret': 'A host with a store or bus of the caller refuses to start without a secret.',
  }),
  ...built('0055-agreement-to-plugins', {
    'wall.enrolled':
      'What a user publishes runs only on machines of that user, and on those of users who agreed to it.',
    'wall.consent':
      'Opening, listing and installing bring no code onto a machine: a plugin of another is installed, described and started only once its user has agreed to it.',
    'wall.consent.again':
      'Its user is asked again when the version, the distribution or the reach of a plugin is another.',
    'wall.consent.own': 'The own plugins of a user and those of the operator need no agreement.',
    'wall.consent.listed':
      'A plugin without agreement is listed as unavailable with the reason, and a call of it is permission_denied with denied_by grant.',
  }),
  ...built('0106-asking-about-a-plugin', {
    'wall.consent.asked':
      'The page is told when a plugin without agreement is called first, and never about one that was refused for good.',
    'wall.consent.terms':
      'Name, author, version, distribution and reach are told in words; an agreement is to just these.',
    'wall.consent.told': 'Windows hear of an answer by tools.changed.',
    'wall.consent.shell':
      'The shell asks at the first use: once, always, never or not now, from the keyboard too; Manage shows and changes the answer.',
  }),
  ...built('0081-types-of-files', {
    'wall.files': 'A file is sent opaque, with nosniff and its own type, and only raster images are shown.',
  }),
  ...built('0031-files-and-uploads', {
    'wall.uploads.cors': 'An upload URL takes bytes from any origin by its signature, and tells it why not.',
  }),
  ...built('0056-no-way-out-of-a-bundle', {
    'wall.uploads.csp':
      'A bundle reaches the uploads and shows the files of its host, and nothing else there.',
  }),
  ...built('0036-urls-and-attachments', {
    'wall.urls': 'URLs that users give pass the one rule against private networks.',
  }),
  ...built('0089-times-and-files-of-subcalls', {
    'wall.upload.path': 'A path that a plugin hands over lies in the folder of its call.',
  }),
] as const
