/** Words as they are typed into a shell: those that it would change are quoted. */
export const shellText = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ')
