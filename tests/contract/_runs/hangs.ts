import { spawn } from 'node:child_process'

test('fails before', () => expect(1).toBe(2))

test('hangs, and has started a program that does', () => {
  spawn('sh', ['-c', `exec sleep 86399.${process.env.LANWARD_TEST_MARK}`], { stdio: 'ignore' })
  for (;;) {
    // Nothing but its end gets it out of here.
  }
})
