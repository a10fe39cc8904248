import { redirect } from 'next/navigation'

/** An address that no screen has: home, which says why (route guard, specification section 2). */
export default function MissingPage() {
  redirect('/?denied=1')
}
