/**
 * Returns `node:http`. An `import` of it reads all that it exports, its WebSocket too, for which Node loads its undici:
 * 40 ms and 10 MB that a server does not need.
 */
export const nodeHttp = () => process.getBuiltinModule('node:http')
