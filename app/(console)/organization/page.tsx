import { redirect } from 'next/navigation'

/** The organization begins with its networks. */
export default function OrganizationStart() {
  redirect('/organization/network')
}
