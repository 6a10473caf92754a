const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Set by a runner for each process, or by the system: another value would mean another machine. */
const RUNNERS =
  /^(PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|PWD|OLDPWD|TMP|TEMP|TMPDIR|TEMPDIR|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|SVC_.*|XDG_.*|DBUS_.*|(HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$/

/** By which the loader, a shell, an interpreter or a tool runs code that no argument of the program names. */
const CODE = [
  /^(LD|DYLD|BASH_FUNC|MALLOC|G_|GTK|QT|GIO|GST|FONTCONFIG)_/,
  /^(GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES|HOSTALIASES|LOCALDOMAIN|LOCPATH|NLSPATH|RES_OPTIONS|RESOLV_.*|TZDIR|PRELOAD)$/,
  /^(IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|ZDOTDIR|FPATH|CDPATH|PS[0-9]|PROMPT_COMMAND|EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|SSH_ASKPASS|SUDO_.*)$/,
  /^(NODE_(?!ENV$|DEBUG$)|NPM_|YARN_|PNPM_|COREPACK_|BUN_|DENO_|ELECTRON_|TS_NODE_|TSX_)/,
  /^PYTHON(?!UNBUFFERED$|IOENCODING$|UTF8$)|^(PIP|PIPX|UV|VIRTUAL|CONDA|PYENV)_/,
  /^(PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|CLASSPATH|_?JAVA_(TOOL_)?OPTIONS|JDK_.*|JAVA_HOME|JVM_.*|MAVEN_.*|GRADLE_.*|DOTNET_.*|CORECLR_.*|COMPLUS_.*|PHPRC|PHP_INI_.*|LUA_.*|AWK.*|TCL.*|GUILE_.*|JULIA_.*|ERL_.*|ELIXIR_.*|R_.*|OCAML.*|CAML.*|GHC.*|CARGO_.*|RUST(C|DOC|UP)?_?(WRAPPER|FLAGS|HOME|TOOLCHAIN).*|GO(FLAGS|ENV|ROOT|TOOLCHAIN)|MAKEFLAGS|OPENSSL_.*)$/,
  /^GIT_(?!(AUTHOR|COMMITTER)_|TOKEN$)/,
]

/** Whether a text has the form of the name of a variable: letters, digits and underscores. */
export const isVariableName = (name: string): boolean => NAME.test(name)

/**
 * Whether the author of a published plugin may name a variable so. Not those that a runner sets itself, nor those by which
 * a program runs code that is not its own: it would not be what its user agreed to.
 */
export function mayBeNamed(name: string): boolean {
  const upper = name.toUpperCase()
  return isVariableName(name) && !RUNNERS.test(upper) && !CODE.some((one) => one.test(upper))
}
