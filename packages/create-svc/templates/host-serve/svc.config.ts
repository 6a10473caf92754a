/** The options of the host. Paths begin at this file. */
export default {
  port: Number(process.env.PORT ?? 8787),
  // Anybody on this machine who has the start token signs in by a name. For a host that others reach, put
  // `authenticate: async (request: Request) => ({ id: … })` in place of it, and `origins` with the address of its page.
  signIn: 'dev' as const,
  apps: [{ dir: './app/dist' }],
}
