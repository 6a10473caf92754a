/** Exit codes of shells, and deaths by a signal, in words. */
const codes: Readonly<Record<number, string>> = {
  126: 'Exit code 126: a shell found a program that it could not run. Look at its x bit, and whether it is built for this machine.',
  127: 'Exit code 127: a shell did not find a command. Look at what the program starts, and whether that is on PATH.',
}
const signals: Readonly<Record<string, string>> = {
  SIGKILL:
    'It was killed (SIGKILL): by the kernel where memory ran out, or by somebody on the machine of its runner.',
  SIGSEGV: 'It crashed (SIGSEGV): a wrong access to memory, in itself or in a library.',
  SIGBUS: 'It crashed (SIGBUS): a wrong access to memory, or a disk that is full or gone.',
  SIGABRT: 'It gave up (SIGABRT): its runtime or a library found a fault, and wrote why to stderr.',
  SIGILL: 'It crashed (SIGILL): it was built for a newer processor than this one.',
  SIGFPE: 'It crashed (SIGFPE): a division by zero.',
  SIGTERM: 'It was asked to end (SIGTERM) by somebody on the machine of its runner.',
  SIGPIPE: 'It ended (SIGPIPE) because it wrote where nobody reads any more.',
  SIGSYS: 'It was ended (SIGSYS) by a filter of calls of the kernel.',
  SIGXCPU: 'It used up its time of CPU (SIGXCPU).',
  SIGXFSZ: 'It wrote a file larger than it may (SIGXFSZ).',
}

/** Says in words how a process ended, for a person who does not know codes; nothing where the code is its own. */
export function exitWords(exitCode: unknown, signal: unknown): string | undefined {
  if (typeof signal === 'string') return signals[signal]
  return typeof exitCode === 'number' ? codes[exitCode] : undefined
}
