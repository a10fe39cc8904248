import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'

export type Target = CallInput<'devices/adopt'>['devices'][number]
export type Item = CallOutput<'devices/adopt/result'>['items'][number]
type Rest = Omit<CallInput<'devices/adopt'>, 'devices' | 'networkId'>

const pollMs = 1000

/** The steps of one job while it runs. */
function useJob(jobId: string | undefined) {
  const [going, setGoing] = useState(true)
  const call = useNetworkCall('devices/adopt/result', jobId === undefined ? null : { jobId }, {
    refreshMs: going ? pollMs : 0,
    keep: false,
    swr: { onSuccess: data => setGoing(data.state === 'running') },
  })
  return { items: call.data?.items ?? [], restart: () => setGoing(true) }
}

/**
 * Adopts devices and follows each one's steps. A device that is tried again belongs to a new job; its newest answer
 * counts.
 */
export function useAdoption() {
  const [jobId, setJobId] = useState<string>()
  const [older, setOlder] = useState<readonly Item[]>([])
  const { errors, busy, run } = useSubmit<'adopt'>()
  const job = useJob(jobId)
  const items = [...older.filter(one => !job.items.some(item => item.address === one.address)), ...job.items]
  /** Follows a job that another call began. */
  const follow = (id: string) => {
    setOlder(items)
    job.restart()
    setJobId(id)
  }
  const adopt = (devices: Target[], rest: Rest): Promise<boolean> =>
    run('adopt', async () => {
      const started = await callApi('devices/adopt', withNetwork({ devices, ...rest }))
      follow(started.jobId)
    })
  const cancel = () =>
    run('adopt', async () => {
      if (jobId !== undefined) await callApi('devices/adopt/cancel', withNetwork({ jobId }))
    })
  const going = items.some(item => item.state === 'running' || item.state === 'waiting')
  return { adopt, cancel, follow, items, errors, busy: busy !== undefined, going }
}
