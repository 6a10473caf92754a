/** Media types that are read as text. */
const TEXT = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|javascript|ecmascript|yaml|toml|sql|graphql))$/

/** Whether a media type, without parameters and in lower case, is one of text. */
export const isTextType = (type: string): boolean => TEXT.test(type)
