const SECRET = 'files of this kind hold secrets'
const HIDDEN = 'no browser needs hidden files'
const LEFTOVER = 'an editor, a system or a crash left it there'
const PACKAGES = 'no browser needs what packages are built from'

/** Folders of which nothing is served, not even while an app is developed. */
const secretFolder =
  /^\.(git|svn|hg|bzr|ssh|gnupg|aws|azure|gcloud|kube|docker|terraform|password-store|secrets?)$/

/** Names of files that hold keys, passwords and tokens, as programs write them by default. */
const secretFile = new RegExp(
  [
    String.raw`\.env|\.env[.\-_].+|.+\.env|\.envrc|\.dev\.vars(\..+)?|\.flaskenv`,
    String.raw`\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.gem_credentials|\.netrc|_netrc|\.git-credentials|\.gitconfig|\.dockercfg|\.dockerconfigjson`,
    String.raw`\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|htpasswd|\.s3cfg|\.boto|\.sentryclirc|\.vault-token|\.vault_pass|\.remote-sync\.json`,
    String.raw`\.secrets?(\..+)?|secrets?\.(json|ya?ml|toml|env|txt|ini)|credentials?(\.(json|ya?ml|toml|ini|txt|csv|xml))?|\.credentials(\..+)?`,
    String.raw`service[-_]?account.*\.json|.*-adminsdk-.*\.json|client_secrets?.*\.json|application_default_credentials\.json|gcloud.*\.json|local\.settings\.json`,
    String.raw`.+\.(pem|key|p12|p8|pfx|pkcs12|jks|jceks|keystore|bks|ppk|kdbx?|ovpn|gpg|pgp|keychain(-db)?|mobileprovision|agekey|tfstate(\.backup)?|tfvars(\.json)?)`,
    'id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?([._-].*)?|identity|authorized_keys|known_hosts|kubeconfig',
    String.raw`\.?(bash|zsh|sh|fish|psql|mysql|sqlite|rediscli|mongo|node_repl|python|irb)_history`,
    String.raw`env\.(local|dev|development|prod|production|staging|test)|kubeconfig\.ya?ml|credentials\.yml\.enc|keystore\.properties|wallet\.dat`,
    String.raw`passwords?\.(txt|csv|json|ya?ml)|passwd|shadow|private[-_]?key.*\.txt|api[-_]?keys?\.(txt|json|csv)|.+\.(pem|key)\.txt|cookies\.txt`,
    String.raw`rootkey\.csv|.*accesskeys\.csv|.+_credentials\.csv|bitwarden_export.*|lastpass_export.*|(.+[-_])?recovery-codes\.txt`,
    String.raw`(gcp|gcloud|google|firebase|aws|azure)[-_]?keys?\.json|appsettings(\..+)?\.json|terraform\.tfstate\..+`,
    String.raw`.+\.(publishsettings|kubeconfig|1pux|har|heapsnapshot|pcapng)`,
    String.raw`wp-config\.php|config\.php|\.htaccess|proftpdpasswd|filezilla\.xml|recentservers\.xml|robomongo\.json|dbeaver-data-sources\.xml`,
  ]
    .map((names) => `^(?:${names})$`)
    .join('|'),
)

/** Other names, of files and folders, that are no part of a bundle. A hidden one is judged by its dot. */
const others: readonly (readonly [names: RegExp, why: string, alsoFolders: boolean])[] = [
  [/^(node_modules|bower_components|jspm_packages|__pycache__|venv|cvs)$/, PACKAGES, true],
  [/^(__macosx|\$recycle\.bin|system volume information)$/, LEFTOVER, true],
  [/^(thumbs|ehthumbs|ehthumbs_vista)\.db$|^desktop\.ini$|^icon\r$/, LEFTOVER, false],
  [/~$|^#.*#$|\.(sw[a-p]|bak|orig|rej|tmp|temp|old|save|autosave|crdownload|part)$|^~\$/, LEFTOVER, false],
  [
    /^(vg)?core(\.\d+)?$|\.(core|stackdump|dmp|mdmp|log|pyc|pyo)$|^(npm|yarn|pnpm|lerna)-(debug|error).*\.log/,
    LEFTOVER,
    false,
  ],
  [/\.(code-workspace|sublime-(project|workspace)|iml|ipr|iws)$/, LEFTOVER, false],
]

/** Whether a path leads to what holds secrets, by the names in it. */
export function isSecretPath(path: string): boolean {
  const names = namesIn(path)
  return names.some((name) => secretFolder.test(name)) || secretFile.test(names.at(-1) ?? '')
}

/**
 * Why a file or folder does not belong in a bundle, as the end of a sentence; `null`: it does. Judged by the names in its
 * path, in which case does not count.
 */
export function whyLeftOut(path: string): string | null {
  if (isSecretPath(path)) return SECRET
  const names = namesIn(path)
  if (names.some((name) => name.startsWith('.') && name !== '.well-known')) return HIDDEN
  const last = names.length - 1
  return (
    others.find(([pattern, , alsoFolders]) =>
      names.some((name, at) => (alsoFolders || at === last) && pattern.test(name)),
    )?.[1] ?? null
  )
}

const namesIn = (path: string) =>
  path
    .toLowerCase()
    .split('/')
    .filter((name) => name !== '' && name !== '.')
