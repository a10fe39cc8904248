export * from './accounts'
export * from './devices'
export * from './networks'
export * from './settings'
