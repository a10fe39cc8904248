import type { SshSession } from '../../ssh/ssh'
import type { CpuSample } from '../../unix/tables'

/** An open connection, and the processor's counters when they were read last. */
export type OpenwrtSession = { ssh: SshSession; cpu?: CpuSample }
