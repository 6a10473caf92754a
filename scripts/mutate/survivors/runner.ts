import type { Unnoticed } from './unnoticed.ts'

export const runner: readonly Unnoticed[] = [
  {
    file: 'packages/runner/src/isolation/bubblewrap.ts',
    code: "const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']",
    changes: ["'/lib32' → 'other'", "'/libx32' → 'other'"],
    reason: 'Few machines have this folder, and those of the tests do not.',
  },
  {
    file: 'packages/runner/src/isolation/bubblewrap.ts',
    code: "const WHOLE = ['/usr', '/nix/store', '/gnu/store']",
    changes: ["'/nix/store' → 'other'", "'/gnu/store' → 'other'"],
    reason: 'Few machines have this folder, and those of the tests do not.',
  },
  {
    file: 'packages/runner/src/isolation/bubblewrap.ts',
    code: ": ['--ro-bind', path, path]",
    changes: ["'--ro-bind' → 'other'"],
    reason: 'For a machine whose /bin is no link; those of the tests have links.',
  },
  {
    file: 'packages/runner/src/isolation/egress.ts',
    code: 'server.unref()',
    changes: ['statement → nothing'],
    reason: 'Whoever started the process closes it; this only lets a runner end that was not closed.',
  },
  {
    file: 'packages/runner/src/isolation/egress.ts',
    code: "async function connect({ url = '' }: IncomingMessage, from: Duplex, parts: EgressParts): Promise<void> {",
    changes: ["'' → 'other'"],
    reason: 'For the compiler of types: a request has a URL.',
  },
  {
    file: 'packages/runner/src/isolation/egress.ts',
    code: "const [, name = '', port = ''] = AUTHORITY.exec(url) ?? []",
    changes: ["'' → 'other'"],
    reason: 'No reach names a host without a port that is a number.',
  },
  {
    file: 'packages/runner/src/isolation/seccomp.ts',
    code: 'if (!machine) return undefined',
    changes: ['return x → return'],
    reason: 'A return without a value is undefined.',
  },
  {
    file: 'packages/runner/src/isolation/seccomp.ts',
    code: '[LOAD, 0, 0, AT_MACHINE],',
    changes: ['0 → 1'],
    reason: 'The kernel reads the two distances of a jump alone.',
  },
  {
    file: 'packages/runner/src/isolation/seccomp.ts',
    code: '[LOAD, 0, 0, AT_CALL],',
    changes: ['0 → 1'],
    reason: 'The kernel reads the two distances of a jump alone.',
  },
  {
    file: 'packages/runner/src/isolation/seccomp.ts',
    code: '[RETURN, 0, 0, ALLOW],',
    changes: ['0 → 1'],
    reason: 'The kernel reads the two distances of a jump alone.',
  },
  {
    file: 'packages/runner/src/isolation/seccomp.ts',
    code: '[RETURN, 0, 0, FAIL],',
    changes: ['0 → 1'],
    reason: 'The kernel reads the two distances of a jump alone.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: "if (word.startsWith('-') || word.length > NAME_MAX) continue",
    changes: ['> → >='],
    reason: 'A name of that length is longer than the kernel takes, so that it is no file.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: 'const NAME_MAX = 4_096',
    changes: ['4096 → 4097', '4096 → 4095'],
    reason: 'A name of that length is longer than the kernel takes, so that it is no file.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: 'if (isBroad(folder)) return undefined',
    changes: ['return x → return'],
    reason: 'A return without a value is undefined.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: 'if (isLink) return linksOf(entry).slice(1)',
    changes: ['1 → 0'],
    reason: 'The link lies within the folder, and the caller leaves such targets out.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: 'return entries(entry).flatMap((one) => (one.isLink ? linksOf(join(entry, one.name)).slice(1) : []))',
    changes: ['1 → 0'],
    reason: 'The link lies within the folder, and the caller leaves such targets out.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: "return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : undefined",
    changes: ["'file' → 'other'"],
    reason: 'Everything that is no folder is a file to the caller.',
  },
  {
    file: 'packages/runner/src/remote/allow.ts',
    code: 'return false',
    changes: ['return x → return'],
    reason: 'Only true lets a plugin through.',
  },
  {
    file: 'packages/runner/src/isolation/view.ts',
    code: 'return undefined',
    changes: ['return x → return'],
    reason: 'A return without a value is undefined.',
  },
]
