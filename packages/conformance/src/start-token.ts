/** The start token of the hosts that tests start in another place than the page that signs in. */
export const TEST_START_TOKEN = 'start-token-of-the-tests-0123456789'
