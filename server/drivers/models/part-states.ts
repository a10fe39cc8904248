// What makers' MIBs call the states of fans and power supplies, in the words of PartState.

/** CiscoEnvMonState; RADLAN's rlEnvMonState is the same. */
export const environmentStates = { 1: 'ok', 2: 'warning', 3: 'failed', 4: 'off', 5: 'absent', 6: 'failed' } as const

/** FASTPATH's boxServices*ItemState. */
export const boxStates = { 1: 'absent', 2: 'ok', 3: 'failed', 4: 'ok', 5: 'off', 6: 'off', 7: 'failed' } as const

/** SNMPv2-TC's TruthValue turned to a state, and tables that only know good and bad. */
export const goodOrFailed = { 1: 'ok', 2: 'failed' } as const
export const failedOrGood = { 1: 'failed', 2: 'ok', 3: 'off' } as const
