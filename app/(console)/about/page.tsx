import { redirect } from 'next/navigation'

export default function AboutRoute() {
  redirect('/account/about')
}
