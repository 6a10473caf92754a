/**
 * The fields of `/proc/<pid>/stat` from the third on, which is the state. The second is the program's name, in brackets: it
 * may hold anything, brackets and spaces too, so that the others are counted behind the last one.
 */
export const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
