test('holds', () => {
  expect(1).toBe(1)
})

test('fails', () => {
  expect('what is').toBe('what should be')
})
