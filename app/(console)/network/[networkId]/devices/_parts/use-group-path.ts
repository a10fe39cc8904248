import { useParams } from 'next/navigation'

/** The path of this page, for links between its groups. */
export function useGroupPath(): { form: string; list: string } {
  const { networkId } = useParams<{ networkId: string }>()
  return { form: `/network/${networkId}/devices/group/form`, list: `/network/${networkId}/devices` }
}
