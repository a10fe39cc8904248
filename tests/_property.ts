// fast-check with one seed for all tests: the same input every time. Another one: LANWARD_TEST_SEED=7 npx jest …
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.LANWARD_TEST_SEED ?? 20_261_122) })

export { fc }
