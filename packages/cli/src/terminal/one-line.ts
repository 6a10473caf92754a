/** What would move the cursor of a terminal, begin a line that nobody wrote, or turn one around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Makes one line of a text of others, which a terminal only shows. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, ' ').trimEnd()
