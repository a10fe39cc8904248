/** The account that tests make in the wizard. */
export const owner = { account: 'marta7', password: 'Tr0ub4dor&3x' }
