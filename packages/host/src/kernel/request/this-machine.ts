const THIS_MACHINE = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether a host name of a URL is this machine, wherever it is read. */
export const isThisMachine = (hostname: string): boolean => THIS_MACHINE.test(hostname)
