import { built } from './row.ts'

/** What comes from elsewhere: archives, plugins that are installed, URLs that users give. */
export const archives = [
  ...built('0014-archives', {
    'archive.kinds': 'An archive with anything but plain files and folders is refused.',
    'archive.paths': 'An archive is refused whose names climb, start at a root, or hold odd characters.',
    'archive.names': 'An archive is refused whose names are too long, too deep, or the same twice.',
    'archive.bounds': 'An archive is refused that unpacks to too much, too many or out of all proportion.',
    'archive.broken': 'An archive that is cut off, damaged or of another type is refused.',
    'archive.zip.headers': 'A zip whose two tables disagree is refused.',
  }),
  ...built('0094-one-folder-for-each-install', {
    'plug.install.judged':
      'A plugin comes onto a machine under the same rule; what is refused leaves nothing behind.',
  }),
  ...built('0054-who-is-on-the-machine', {
    'plug.install.owner':
      'A local distribution is taken only where it and every folder above it belong to the runner or root, and others may not write.',
  }),
  ...built('0094-one-folder-for-each-install', {
    'plug.install.fault':
      'What its author can put right about a distribution is invalid_arg with its reason, wherever it is found out.',
    'plug.install.fresh':
      'A plugin is written into a fresh folder of mode 0700, exclusively, and then renamed.',
  }),
  ...built('0095-installers-run-no-scripts', {
    'plug.install.no_scripts': 'Install scripts of packages never run.',
  }),
  ...built('0036-urls-and-attachments', {
    'decision.urls.literals':
      'An IP literal in a URL is judged without the network, in whatever form it is written.',
    'decision.urls.answers': 'A name is refused where any of its addresses is not public.',
    'decision.urls.checked': 'A connection goes to an address that was judged, and to no other.',
    'decision.urls.redirects': 'Three redirects are followed at most, each judged like the first URL.',
    'decision.urls.bounds': 'A fetch ends within 15 s, at 20 MiB and at long headers, and unpacks nothing.',
    'decision.urls.bare': 'A fetch uses no proxy, no cookie and no credentials.',
  }),
  ...built('0097-local-files-and-binaries', {
    'plug.install.url':
      'Binaries are fetched by the rule for URLs, and their bytes have the digest that was published.',
  }),
  ...built('0036-urls-and-attachments', {
    'decision.urls.loopback': 'Hosts of this machine are fetched from only where createHost names them.',
  }),
] as const
