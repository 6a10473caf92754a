// React 18.0 under the names that tests import: `act` has its name since 18.3.
export * from './node_modules/react/index.js'
export { unstable_act as act } from './node_modules/react/index.js'
