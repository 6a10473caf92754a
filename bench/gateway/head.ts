/** What the real host gave its window, told to the others as their first arguments. */
export const [TOKEN = '', COOKIE = '', WINDOW = ''] = process.argv.slice(2)
