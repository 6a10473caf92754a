import { defineCommand } from 'citty'
export const runner = defineCommand({ meta: { name: 'runner', description: 'x' } })
