/** A program in a language that we have no library for; all of them do the same (`programs/`). */
export interface ProgramRow {
  readonly language: string
  readonly file: string
  /** The command; `FILE` is the program, or what `build` made of it. */
  readonly command: readonly [string, ...string[]]
  /** What makes it, from `FILE` to `BUILT`. */
  readonly build?: readonly [string, ...string[]]
  /** The package of npm that has the program `command[0]`, and where in it. */
  readonly from?: { readonly name: string; readonly version: string; readonly file: string }
}

/** The programs, by what they are written in. */
export const programs: readonly ProgramRow[] = [
  { language: 'Bash with jq', file: 'tea.sh', command: ['bash', 'FILE'] },
  { language: 'awk (mawk)', file: 'tea.awk', command: ['mawk', '-W', 'interactive', '-f', 'FILE'] },
  { language: 'awk (gawk)', file: 'tea.awk', command: ['gawk', '-f', 'FILE'] },
  { language: 'Python', file: 'tea.py', command: ['python3', 'FILE'] },
  { language: 'Ruby', file: 'tea.rb', command: ['ruby', 'FILE'] },
  { language: 'Perl', file: 'tea.pl', command: ['perl', 'FILE'] },
  { language: 'PHP', file: 'tea.php', command: ['php', 'FILE'] },
  { language: 'Lua', file: 'tea.lua', command: ['lua5.4', 'FILE'] },
  { language: 'Tcl', file: 'tea.tcl', command: ['tclsh', 'FILE'] },
  { language: 'Guile', file: 'tea.scm', command: ['guile', '--no-auto-compile', '-s', 'FILE'] },
  { language: 'C', file: 'tea.c', build: ['cc', '-o', 'BUILT', 'FILE'], command: ['FILE'] },
  { language: 'Go', file: 'tea.go', build: ['go', 'build', '-o', 'BUILT', 'FILE'], command: ['FILE'] },
  { language: 'Java', file: 'Tea.java', command: ['java', 'FILE'] },
  {
    language: 'Bun',
    file: 'tea.mjs',
    command: ['bun', 'FILE'],
    from: { name: '@oven/bun-linux-x64', version: '1.4.5', file: 'bin/bun' },
  },
  {
    language: 'Deno',
    file: 'tea.mjs',
    command: ['deno', 'run', '--no-remote', 'FILE'],
    from: { name: '@deno/linux-x64-glibc', version: '2.9.6', file: 'deno' },
  },
]
