/** The account that tests make in the wizard. */
export const owner = { account: 'marta.1', password: 'Tr0ub4dor&3x' }
