export { type Cluster, type ClusterOptions, openCluster } from './open-cluster.ts'
export type { PeersListen } from './peers/peers.ts'
