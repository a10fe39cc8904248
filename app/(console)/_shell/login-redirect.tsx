'use client'
import { useEffect } from 'react'
import { goToLogin } from './outcomes'

/** Nobody is signed in: the browser, which knows the whole address, goes to the sign-in with it as the target. */
export function LoginRedirect() {
  useEffect(goToLogin, [])
  return null
}
