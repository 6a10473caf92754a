/**
 * Where the apps of a harness are: a site for each, so that one in an endless loop holds up no other. In a browser that
 * does not look up `*.localhost` by itself, and on a page that came to another name than one of this machine, they are
 * at the host's own origin.
 */
export const ownSites = 'http://{app}.localhost:{port}'
