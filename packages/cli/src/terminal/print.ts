import { visibleText } from '@svc/contract/visible-text'

/**
 * Prints a text on stdout: all that a command says goes through here or `printError`, because names, errors and values
 * of plugins, apps, hosts and packages are in it. What a terminal would obey, or not show, is escaped.
 */
export const print = (text: string): void => console.log(visibleText(text))

/** Prints a text on stderr in the same way. */
export const printError = (text: string): void => console.error(visibleText(text))
