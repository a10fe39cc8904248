'use client'

export { PageError as default } from '@/app/_ui/page-error'
